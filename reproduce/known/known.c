/* A finding beside what is known. */
#include "reproduce/known/known.h"

struct tny_finding tny_known_finding(double x, double value, double known)
{
  return (struct tny_finding){
      .x = x, .value = value, .low = NAN, .high = NAN, .paper = known, .least = NAN, .most = NAN};
}
