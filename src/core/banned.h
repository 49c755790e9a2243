/* Included before everything by the build: string calls that can overrun, or that can't report an
 * error. */
#ifndef TOURNEY_CORE_BANNED_H
#define TOURNEY_CORE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol atof gets

#endif
