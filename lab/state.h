/* The state of a lab, by which other processes find it. It lies in $XDG_RUNTIME_DIR/tourney/NAME,
   or in /tmp/tourney-lab-UID/NAME where $XDG_RUNTIME_DIR isn't a folder of this user's own or its
   path has spaces, quotes or the like. In that folder are the files `lab` (keeper and options),
   `cluster` (flat form) and `measuring` (a lock), and the folder `in`, over which the keeper mounts
   a tmpfs that only the lab sees. A folder without a living keeper was left by a lab that was
   killed. */
#ifndef TOURNEY_LAB_STATE_H
#define TOURNEY_LAB_STATE_H

#include "lab/lab.h"

#define TNY_LAB_INSIDE "TOURNEY_LAB_INSIDE" /* environment, inside a lab: its state folder */
#define TNY_LAB_PATH_MAX 320
#define TNY_LAB_COMMAND_MAX 80

/* A lab's state folder. Its lock excludes other callers of up and down. */
struct tny_lab_folder {
  char name[TNY_LAB_NAME_MAX + 1];
  char directory[sizeof((struct tny_lab *)0)->directory];
  int lock;    /* the open folder; -1 where it isn't locked */
  bool exists; /* the folder was there when it was found or locked */
};

/* Identifies a keeper. The kernel gives a pid again, but not a pid with the same start time. */
struct tny_lab_keeper {
  pid_t pid;
  unsigned long long start_ticks; /* after boot */
};

/* Finds a lab's folder, and neither makes nor locks it. name: as in tny_lab_options. Errors:
   TNY_SYSTEM where it, or the folder of all labs, isn't this user's alone. Locking checks that
   again. */
enum tny_status tny_lab_folder_find(const char *name, struct tny_lab_folder *folder,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Locks the folder; with `make`, makes it first where there is none. Errors: TNY_REFUSED where
   there is none and it isn't to be made. */
enum tny_status tny_lab_folder_lock(struct tny_lab_folder *folder, bool make,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Removes the folder with what is in it. It must be locked. */
void tny_lab_folder_remove(const struct tny_lab_folder *folder);
void tny_lab_folder_unlock(struct tny_lab_folder *folder);
/* Writes the path of a file in a state folder. */
void tny_lab_folder_path(const char *directory, const char *file, char path[TNY_LAB_PATH_MAX]);

/* Writes "tourney lab VERB", with --name where the lab isn't the default one. */
void tny_lab_command(const char *verb, const char *name, char command[TNY_LAB_COMMAND_MAX]);
/* Sets the error that no lab of that name is up, and returns its status. */
enum tny_status tny_lab_refuse_missing(const char *name, struct tny_error *error);

/* Looks whether the keeper's process exists; a zombie doesn't. A keeper that is being killed exists
   for as long as the kernel takes to end the lab's processes, but it doesn't live any more. Errors:
   TNY_SYSTEM where /proc can't be read. */
enum tny_status tny_lab_keeper_look(const struct tny_lab_keeper *keeper, bool *exists,
                                    struct tny_error *error) TNY_MUST_CHECK;
bool tny_lab_keeper_lives(const struct tny_lab_keeper *keeper);
/* Fills in the start time of the process keeper->pid; false where there is none. */
bool tny_lab_keeper_date(struct tny_lab_keeper *keeper);

/* Writes the files `cluster` and `lab`. `lab` comes last and is renamed into its folder, so that it
   is there whole or not at all. */
enum tny_status tny_lab_state_write(const struct tny_lab_folder *folder,
                                    const struct tny_lab_keeper *keeper, const char *congestion,
                                    const struct tny_cluster *cluster,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Reads the file `lab`. Returns false where that fails; errno is then ENOENT where there is no
   file, 0 where it isn't a whole one, else why it can't be read. congestion may be NULL, or has
   room for 32 characters. */
bool tny_lab_state_read(const char *directory, struct tny_lab_keeper *keeper, char *congestion);
/* Reads a small file whole. Owns: *text is the caller's, tny_text_free. */
enum tny_status tny_lab_file_read(const char *path, char **text,
                                  struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_lab_file_write(const char *path, const char *text,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
