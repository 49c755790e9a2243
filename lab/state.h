/* Where a lab's state lies: $XDG_RUNTIME_DIR/tourney/NAME, or /tmp/tourney-lab-UID/NAME where that
   isn't a folder of this user's own or its path has spaces, quotes or the like. It has the files
   `lab` (keeper and options), `cluster` (flat form) and the folder `in`, over which the
   keeper mounts a tmpfs that only the lab sees. A folder without a living keeper is what a killed
   lab left.
 */
#ifndef TOURNEY_LAB_STATE_H
#define TOURNEY_LAB_STATE_H

#include "lab/lab.h"

#define TNY_LAB_INSIDE "TOURNEY_LAB_INSIDE" /* environment, inside a lab: its state folder */
#define TNY_LAB_PATH_MAX 320
#define TNY_LAB_COMMAND_MAX 80

/* A lab's folder, locked against other callers of up and down. */
struct tny_lab_place {
  char name[TNY_LAB_NAME_MAX + 1];
  char directory[sizeof((struct tny_lab *)0)->directory];
  int lock;    /* -1: not locked */
  bool exists; /* the folder was there when it was found or locked */
};

/* Who keeps a lab: a pid is recycled, a pid and a start time are not. */
struct tny_lab_keeper {
  pid_t pid;
  unsigned long long start_ticks; /* after boot */
};

/* Finds a lab's folder without making or locking it. name: as in tny_lab_options. Errors:
   TNY_SYSTEM where it, or the folder of all labs, isn't this user's alone; locking checks that
   again. */
enum tny_status tny_lab_place_find(const char *name, struct tny_lab_place *place,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Locks the folder, with `make` making it where there is none. Errors: TNY_REFUSED where there is
   none and it isn't to be made. */
enum tny_status tny_lab_place_lock(struct tny_lab_place *place, bool make,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Removes the folder with what is in it; the place must be locked. */
void tny_lab_place_remove(const struct tny_lab_place *place);
void tny_lab_place_unlock(struct tny_lab_place *place);
/* The place's path to one of its files, with text for what can't be one. */
void tny_lab_place_path(const char *directory, const char *file, char path[TNY_LAB_PATH_MAX]);

/* "tourney lab VERB", with --name where the lab isn't the one meant without. */
void tny_lab_command(const char *verb, const char *name, char command[TNY_LAB_COMMAND_MAX]);
/* "no lab of that name is up", as an error. */
enum tny_status tny_lab_refuse_missing(const char *name, struct tny_error *error);

/* *exists is false where the process is gone, a zombie included. One that is being killed still
   exists, for as long as it takes to end the lab's processes, but lives no more. Errors: TNY_SYSTEM
   where /proc doesn't tell. */
enum tny_status tny_lab_keeper_look(const struct tny_lab_keeper *keeper, bool *exists,
                                    struct tny_error *error) TNY_MUST_CHECK;
bool tny_lab_keeper_lives(const struct tny_lab_keeper *keeper);
/* Fills in the start time of keeper->pid; false where there is no such process. */
bool tny_lab_keeper_date(struct tny_lab_keeper *keeper);

/* Writes both files; `lab` last, and in one move. */
enum tny_status tny_lab_state_write(const struct tny_lab_place *place,
                                    const struct tny_lab_keeper *keeper, const char *congestion,
                                    const struct tny_cluster *cluster,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Reads the file `lab`; false with ENOENT in errno where there is none, with 0 where it isn't a
   whole one, else with why it can't be read. congestion may be NULL, else it has 32 places. */
bool tny_lab_state_read(const char *directory, struct tny_lab_keeper *keeper, char *congestion);
/* Reads a small file whole. Owns: *text is the caller's, tny_text_free. */
enum tny_status tny_lab_file_read(const char *path, char **text,
                                  struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_lab_file_write(const char *path, const char *text,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
