cd "$(mktemp -d)" || exit
cat >launch <<'END'
#!/bin/sh
cat <<'LINES'
discover 2
hosts 4 trunks 0 noise 200 hop 0 misfits 0
host n0 0 20000000 1 65536 1
host n1 0 20000000 0 65536 1
host n2 0 20000000 0 65536 0
host n3 0 20000000 1 0 0
done
LINES
END
chmod +x launch
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 # a sanitized library is loaded into the launcher
discover() { tourney discover --mpi openmpi --no-remember --launcher ./launch "$@"; }
discover 2>&1 && discover --output found.dot 2>&1 && discover --csv && discover --json
code=$?
rm -r "$PWD"
exit $code
