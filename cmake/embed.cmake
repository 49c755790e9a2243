# Writes a C source that has a file as an array of characters, ended by a 0, so that the file stays one of its own
# kind. cmake -DNAME=... -DFROM=FILE -DTO=FILE.c -P embed.cmake
file(READ ${FROM} digits HEX)
string(REGEX REPLACE "(..)" "0x\\1, " bytes "${digits}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
