# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# Read by every quick command beside it (. fast.sh) with $bin set, $main to the class and its first word, and the
# user's words as "$@". Runs the command with the start-up cache where there is one.
. "$bin/launch.sh"

# what packs files is needed for this option alone; the cache serves a class path that only begins with its own
classes=$fast_jar
case " $* " in
    *" -compress "*) classes=$fast_jar:$cli/zstd-jni.jar ;;
esac

set -f
if has_cache; then
    exec "$java" $fast_flags "$use_cache$fast_cache" -cp "$classes" $main "$@"
fi
# No cache yet: have it built in the background, once, where the folder can be written; this run goes on without.
if [ -z "${JOBGATE_NO_PREPARE:-}" ] && [ ! -d "$cache/lock" ] && [ ! "$fast_cache.failed" -nt "$fast_jar" ] \
    && { [ -w "$cache" ] || { [ ! -e "$cache" ] && [ -w "${cache%/*}" ]; }; }; then
    ("$bin/jobgate" prepare --client < /dev/null > /dev/null 2>&1 &)
fi
exec "$java" $fast_flags -Xshare:auto -cp "$classes" $main "$@"
