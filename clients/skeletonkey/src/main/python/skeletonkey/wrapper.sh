# What follows is the same in every wrapper. It needs a POSIX shell, tar, mktemp, date, find and grep; downloads need curl, wget or python3,
# checksums sha256sum, shasum or openssl.

me=skeleton_key
exec 8>&2 # sentences go here, also from within a command whose own messages are caught
say() { printf '%s: %s\n' "$me" "$*" >&8; }
debug() { [ -z "$debugging" ] || say "$*"; }
fail() { # STATUS SENTENCE
    ended=$1
    shift
    say "ERROR: $*"
    exit "$ended"
}

debugging='' preserve=''
while [ $# -gt 0 ]; do
    case $1 in
        -d | --debug) debugging=1 ;;
        --preserve-dir) preserve=1 ;;
        --) shift; break ;;
        *) break ;;
    esac
    shift
done
own_umask=$(umask)
umask 077
start_dir=$PWD
work='' script_pid='' sent=''

# --- the end: every way out comes here, and the guard too ----------------------------------------------------------------------------

# mounted PATTERN: whether something is mounted at such a place below our directory, by the kernel's own list (blanks stand as \040 in it)
mounted() {
    [ -r /proc/mounts ] || return 1
    kernel_name=$(printf '%s' "$work" | sed -e 's/\\/\\134/g' -e 's/ /\\040/g' -e 's/	/\\011/g')
    while read -r _ where _; do
        # shellcheck disable=SC2254 # a pattern behind a name that is none
        case $where in "$kernel_name"$1) return 0 ;; esac
    done </proc/mounts
    return 1
}

# Processes of the script that are still there, wherever they have gone: they have our directory in their environment.
left_behind() {
    # shellcheck disable=SC2038
    grep -lF "SKELETON_KEY_WORK=$work" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/\([0-9]*\)/.*|\1|' | tr '\n' ' '
}

end_processes() {
    [ -f "$work/started" ] || return 0
    left=$(left_behind)
    [ -z "$left" ] || say "ending what the script has left running: process $left"
    [ -z "$script_pid" ] || kill -TERM "-$script_pid" 2>/dev/null || :
    # shellcheck disable=SC2086 # a list of numbers
    [ -z "$left" ] || kill -TERM $left 2>/dev/null || :
    tries=0
    while [ -n "$left" ] && [ $tries -lt 20 ]; do
        sleep 0.1 2>/dev/null || sleep 1
        tries=$((tries + 1))
        left=$(left_behind)
    done
    [ -z "$script_pid" ] || kill -KILL "-$script_pid" 2>/dev/null || :
    # shellcheck disable=SC2086
    [ -z "$left" ] || kill -KILL $left 2>/dev/null || :
}

unmount() {
    mounted /chirp || { [ ! -f "$work/fuse.pid" ] || kill "$(cat "$work/fuse.pid")" 2>/dev/null || :; return 0; }
    fusermount3 -u "$work/chirp" 2>/dev/null || fusermount -u "$work/chirp" 2>/dev/null || umount "$work/chirp" 2>/dev/null || {
        kill "$(cat "$work/fuse.pid" 2>/dev/null)" 2>/dev/null || :
        fusermount3 -u -z "$work/chirp" 2>/dev/null || fusermount -u -z "$work/chirp" 2>/dev/null || umount -l "$work/chirp" 2>/dev/null || :
    }
}

clean_up() {
    [ -n "$work" ] && [ -d "$work" ] || return 0
    end_processes
    unmount
    rm -f "$work/chirp.ticket" "$work/user_proxy"
    if mounted '/*'; then
        # removing below a mount would remove the owner's files at the other end
        say "something is still mounted below $work, so it stays"
    elif [ -n "$preserve" ]; then
        say "the working directory stays, without ticket and proxy: $work"
    else
        rm -rf "$work" 2>/dev/null || { chmod -R u+rwX "$work" 2>/dev/null; rm -rf "$work"; } || say "could not remove $work"
    fi
}

# A process that sees this one end, by whatever kills it, since the pipe that it reads is closed then.
start_guard() {
    mkfifo "$work/guard" 2>/dev/null || { say "no fifo in $work: a kill -9 of the wrapper would leave the directory"; return 0; }
    (
        trap '' HUP INT QUIT TERM USR1 USR2
        trap - EXIT
        exec 0<"$work/guard" 3<&-
        read -r _
        script_pid=$(cat "$work/script.pid" 2>/dev/null)
        clean_up
    ) >/dev/null 2>&1 8>/dev/null &
    exec 9>"$work/guard"
}

# --- signals -------------------------------------------------------------------------------------------------------------------------

pass_on() { # NAME NUMBER
    sent=$2
    stopped=$2
    if [ -n "$script_pid" ]; then
        debug "passing SIG$1 on to the script"
        # a shell starts background processes with these two signals ignored; if nothing could change that, TERM still works
        if [ -z "$restore" ]; then case $1 in INT | QUIT) set -- TERM "$2" ;; esac; fi
        kill "-$1" "-$script_pid" 2>/dev/null || kill "-$1" "$script_pid" 2>/dev/null || :
    elif [ -n "$running" ]; then
        kill -TERM "$running" 2>/dev/null || :
    fi
}
running='' stopped='' restore=none
trap 'ended=$?; trap - EXIT; trap "" HUP INT QUIT TERM USR1 USR2; clean_up; exit $ended' EXIT
trap 'pass_on HUP 1' HUP
trap 'pass_on INT 2' INT
trap 'pass_on QUIT 3' QUIT
trap 'pass_on USR1 10' USR1
trap 'pass_on USR2 12' USR2
trap 'pass_on TERM 15' TERM

# Before the script runs, a signal that ends programs ends us at the next step; USR1 and USR2 mean something to the script only.
heed() {
    case $stopped in
        '' | 10 | 12) ;;
        *) fail $((128 + stopped)) "ended by signal $stopped before the script was started" ;;
    esac
}

# step COMMAND...: runs it so that a signal takes effect at once, not only when it has ended
step() {
    "$@" 9>&- &
    running=$!
    awaited "$running"
    running=''
    return "$status"
}

# awaited PID: the exit status of a process in the background goes to status, however many signals come meanwhile
awaited() {
    while :; do
        sent=''
        wait "$1"
        status=$?
        [ -n "$sent" ] && [ "$status" -eq $((128 + sent)) ] || return 0
        # either the wait was interrupted or the process has ended by the same signal: it is gone only then
        kill -0 "$1" 2>/dev/null && continue
        wait "$1"
        again=$?
        [ "$again" -eq 127 ] || status=$again
        return 0
    done
}

within() { # SECONDS COMMAND...: what hangs (a dead mount, say) is given up
    if timeout 5 true 2>/dev/null; then timeout -k 2 "$@"; else shift; "$@"; fi
}

bounded() { # the same as a step, in a process of its own, which it becomes
    if timeout 5 true 2>/dev/null; then exec timeout -k 2 "$@" 3<&- 8>&-; else shift; exec "$@" 3<&- 8>&-; fi
}

# --- downloads -----------------------------------------------------------------------------------------------------------------------

free_kilobytes() { df -Pk "$work" 2>/dev/null | while read -r _ _ _ free _; do case $free in '' | *[!0-9]*) ;; *) printf '%s\n' "$free" ;; esac; done; }
need_space() { # ENDING: after something could not be written
    free=$(free_kilobytes)
    [ -z "$free" ] || [ "$free" -gt 64 ] ||
        fail 204 "no space left for $1 in $work ($free KB free): set TMPDIR to a directory with more, or ask for a node with more disk"
}

# one_try URL FILE PROXY: 0 or the downloader's own status. A stalled server is given up after a minute; nothing above 8 GiB is taken.
# Only as a step, in a process of its own, which it becomes.
one_try() {
    ulimit -f 16777216 2>/dev/null
    exec >/dev/null 3<&- 8>&-
    http_proxy=$3 HTTP_PROXY=$3 https_proxy=$3
    export http_proxy HTTP_PROXY https_proxy
    if [ -z "$3" ]; then unset http_proxy HTTP_PROXY https_proxy all_proxy ALL_PROXY; fi
    case $1 in file://*) from=${1#file://}; exec cat -- "/${from#/}" >"$2" ;; esac
    if command -v curl >/dev/null 2>&1; then
        set -- "$1" "$2" "$3" --silent --show-error --fail --location --max-redirs 5 --connect-timeout 20 --speed-limit 512 --speed-time 60
        if [ -n "$fresh" ]; then set -- "$@" --header 'Cache-Control: no-cache' --header 'Pragma: no-cache'; fi
        from=$1 to=$2
        shift 3
        exec curl "$@" --output "$to" -- "$from"
    elif command -v wget >/dev/null 2>&1; then
        if [ -n "$fresh" ]; then exec wget -q -T 60 -t 1 --header 'Cache-Control: no-cache' -O "$2" -- "$1"; fi
        exec wget -q -T 60 -O "$2" -- "$1"
    elif command -v python3 >/dev/null 2>&1; then
        exec python3 -c 'import shutil, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Cache-Control": "no-cache"} if sys.argv[3] else {})
with urllib.request.urlopen(request, timeout=60) as source, open(sys.argv[2], "wb") as target: shutil.copyfileobj(source, target)' "$1" "$2" "$fresh"
    fi
    printf 'neither curl nor wget nor python3 is here\n' >&2
    exit 127
}

sum_of() { # FILE: its SHA-256, by what there is
    if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"
    elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1"
    elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 <"$1" | sed 's/^.*= *//'
    else return 1; fi | { read -r sum _; printf '%s\n' "$sum"; }
}

# what_is_wrong FILE SHA256 KIND: a sentence about bytes that are not what was to come, nothing where they are
what_is_wrong() {
    if [ -n "$2" ]; then
        sum=$(sum_of "$1")
        if [ -z "$sum" ]; then printf 'it cannot be checked: neither sha256sum nor shasum nor openssl is here\n'
        elif [ "$sum" != "$2" ]; then printf 'its SHA-256 is %s, not %s\n' "$sum" "$2"; fi
    fi
    if [ "$3" = archive ] && ! tar -tf "$1" >"$work/names" 2>/dev/null; then printf 'it is no archive that tar can read\n'; fi
}

# fetch URL FILE SHA256 KIND WHAT
fetch() {
    fresh=''
    try=0
    # through the proxy first; a proxy that is away or lies is asked once more for a fresh copy, then passed by
    if [ -n "$proxy" ]; then ways="proxy proxy direct direct"; else ways="direct direct direct direct"; fi
    for way in $ways; do
        heed
        through='' by=''
        if [ $way = proxy ]; then through=$proxy by=" through $proxy"; fi
        [ $try -eq 0 ] || sleep $((try * ${SKELETON_KEY_PAUSE:-3}))
        heed
        try=$((try + 1))
        debug "fetching $5 from $1$by (try $try of 4)"
        if step one_try "$1" "$2" "$through" 2>"$work/complaint"; then
            wrong=$(what_is_wrong "$2" "$3" "$4")
            if [ -z "$wrong" ]; then
                debug "$5: $(wc -c <"$2") bytes from $1$by"
                return 0
            fi
            said=$wrong kind=checked fresh=1
        else
            tool_status=$?
            heed
            [ "$tool_status" -ne 127 ] || fail 202 "cannot fetch $5 from $1: $(cat "$work/complaint")"
            said=$(tail -n 1 "$work/complaint") kind=failed
            need_space "$5"
        fi
        say "$5 from $1$by, try $try of 4: ${said:-the downloader ended with status $tool_status}"
    done
    [ $kind = failed ] || fail 203 "$5 from $1 is not what was expected: ${said}"
    fail 202 "cannot fetch $5 from $1: ${said:-the downloader ended with status $tool_status}. Has this node a way out, and is the proxy (${proxy:-none named}) right?"
}

unpack() { # ARCHIVE DIRECTORY WHAT
    tar -tf "$1" >"$work/names" 2>"$work/complaint" || fail 203 "$3 is no archive that tar can read: $(tail -n 1 "$work/complaint")"
    if grep -Eq '^/|(^|/)\.\.(/|$)' "$work/names"; then fail 203 "$3 holds a name that leads out of the working directory: $(grep -E '^/|(^|/)\.\.(/|$)' "$work/names" | head -n 1)"; fi
    step tar -xf "$1" -C "$2" 2>"$work/complaint" || {
        heed
        need_space "$3"; fail 203 "$3 cannot be unpacked: $(tail -n 1 "$work/complaint")"; }
    rm -f "$1"
}

# --- the tools that reach data -------------------------------------------------------------------------------------------------------

# what this node calls itself in the names of parrot's archives: sl7 for every rebuild of Enterprise Linux 7, debian12, ubuntu22
system_name() {
    id='' like='' version=''
    if [ -r "${SKELETON_KEY_OS_RELEASE:-/etc/os-release}" ]; then
        while IFS='=' read -r name value; do
            value=${value#[\"\']} value=${value%[\"\']}
            case $name in ID) id=$value ;; ID_LIKE) like=$value ;; VERSION_ID) version=${value%%.*} ;; esac
        done <"${SKELETON_KEY_OS_RELEASE:-/etc/os-release}"
    elif [ -r /etc/redhat-release ]; then
        id=rhel
        version=$(sed 's/^[^0-9]*\([0-9][0-9]*\).*/\1/' /etc/redhat-release)
    fi
    case " $id $like " in
        *' rhel '* | *' centos '* | *' fedora '*) printf 'sl%s\n' "$version" ;;
        *) printf '%s%s\n' "${id:-unknown}" "$version" ;;
    esac
}

# The commands of a bundle or of [Parrot] location go before the node's own: they were chosen for the job.
use_tools() { # DIRECTORY
    for place in "$1" "$1"/*; do
        [ ! -d "$place/bin" ] || PATH=$place/bin:$PATH
        if [ -d "$place/lib" ]; then
            for helper in "$place"/lib/libparrot_helper.so "$place"/lib64/libparrot_helper.so; do
                [ ! -f "$helper" ] || { PARROT_HELPER=$helper; export PARROT_HELPER; }
            done
        fi
    done
    export PATH
}
tools_fetched=''
fetch_tools() {
    [ -z "$tools_fetched" ] || return 0
    tools_fetched=1
    [ -n "$parrot_url" ] || return 0
    case $parrot_url in
        *.tar.gz | *.tgz | *.tar | *.tar.*) url=$parrot_url ;;
        *) url=$parrot_url/parrot-$(system_name).tar.gz ;;
    esac
    mkdir -p "$work/tools/fetched"
    fetch "$url" "$work/tools.archive" "$parrot_sha256" archive "parrot"
    unpack "$work/tools.archive" "$work/tools/fetched" "parrot"
    use_tools "$work/tools/fetched"
}
have() { command -v "$1" >/dev/null 2>&1; }
need_tool() { have "$1" || { fetch_tools; have "$1"; }; }

# parrot_works: found, and able to run a program here (some kernels and containers forbid the tracing of processes)
parrot_checked=''
parrot_works() {
    if [ -z "$parrot_checked" ]; then
        if ! need_tool parrot_run; then
            parrot_checked='parrot_run is not here'
        elif within 60 parrot_run -t "$work/parrot_cache" true >"$work/complaint" 2>&1 </dev/null; then
            parrot_checked=yes
        else
            parrot_checked="parrot_run is here and cannot run a program: $(tail -n 1 "$work/complaint")"
        fi
    fi
    [ "$parrot_checked" = yes ]
}

# Who looks at the root of the mount waits for a minute, while chirp_fuse looks for a catalog of all servers: `mkdir -p` does, for one. So the script
# gets links to its directories, beside the mount.
link_into() { # PATH of the server
    [ "$1" != / ] || { rm -rf "$CHIRP_MOUNT"; ln -s "$fuse_root" "$CHIRP_MOUNT"; return 0; }
    parent=$1
    while [ -n "$parent" ]; do
        [ ! -L "$CHIRP_MOUNT$parent" ] || return 0
        parent=${parent%/*}
    done
    mkdir -p "$CHIRP_MOUNT${1%/*}" && ln -s "$fuse_root$1" "$CHIRP_MOUNT$1"
}

fuse_refused=''
mount_fuse() {
    if ! need_tool chirp_fuse; then fuse_refused='chirp_fuse is not here'; return 1; fi
    # Debian 12's was built without FUSE and only says so
    chirp_fuse --help >"$work/complaint" 2>&1 </dev/null || :
    if ! grep -q -- '--tickets' "$work/complaint"; then fuse_refused="chirp_fuse is of no use: $(head -n 1 "$work/complaint")"; return 1; fi
    if ! { [ -r /dev/fuse ] && [ -w /dev/fuse ]; }; then fuse_refused='this account may not use /dev/fuse'; return 1; fi
    mkdir -p "$work/chirp"
    fuse_root=$work/chirp/$chirp_server
    set --
    if grep -q -- '--single-server' "$work/complaint"; then
        fuse_root=$work/chirp
        set -- -s "$chirp_server"
    fi
    setsid=''
    have setsid && setsid=setsid
    # no catalog far away is asked what else there is
    CATALOG_HOST=127.0.0.1 $setsid chirp_fuse -f "$@" -a ticket -i "$work/chirp.ticket" -t 60 "$work/chirp" </dev/null >"$work/fuse.log" 2>&1 3<&- 8>&- 9>&- &
    fuse_pid=$!
    printf '%s\n' "$fuse_pid" >"$work/fuse.pid"
    waited=0
    while [ $waited -lt 100 ] && kill -0 "$fuse_pid" 2>/dev/null; do
        heed
        if mounted /chirp; then
            if within 60 ls -d "$fuse_root$first_directory" >/dev/null 2>"$work/complaint"; then
                CHIRP_MOUNT=$work/data
                link_named
                return 0
            fi
            fuse_refused="$chirp_server does not give $first_directory: $(tail -n 1 "$work/complaint")"
            unmount
            return 1
        fi
        sleep 0.1 2>/dev/null || sleep 1
        waited=$((waited + 1))
    done
    fuse_refused="chirp_fuse did not mount: $(tail -n 1 "$work/fuse.log")"
    unmount
    return 1
}

copy_refused=''
can_copy() {
    for tool in chirp chirp_get chirp_put; do
        need_tool $tool || { copy_refused="$tool is not here"; return 1; }
    done
    [ -n "$has_fetch" ] || [ -z "$has_read" ] || { copy_refused='[Directories] names no "fetch", so nobody knows which files to copy'; return 1; }
}
copy_in() { # PATH...
    CHIRP_MOUNT=$work/chirp-copy
    mkdir -p "$CHIRP_MOUNT"
    for path in "$@"; do
        mkdir -p "$CHIRP_MOUNT${path%/*}"
        step bounded 3600 chirp_get -a ticket -i "$work/chirp.ticket" -t 60 "$chirp_server" "$path" "$CHIRP_MOUNT$path" 2>"$work/complaint" ||
            { heed; need_space "$path"; fail 205 "cannot copy $path from $chirp_server: $(tail -n 1 "$work/complaint")"; }
        [ -e "$CHIRP_MOUNT$path" ] || fail 205 "$path did not come from $chirp_server"
    done
}
# chirp_put ends with 0 although the server refused to write, so each file is read back and compared
copy_out() { # DIRECTORY...
    for directory in "$@"; do
        [ -d "$CHIRP_MOUNT$directory" ] || continue
        (cd "$CHIRP_MOUNT$directory" && find . ! -type d ! -type f) >"$work/odd" 2>/dev/null
        [ ! -s "$work/odd" ] || say "not copied back from $directory, since they are neither files nor directories: $(tr '\n' ' ' <"$work/odd")"
        (cd "$CHIRP_MOUNT$directory" && SK_T=$work/chirp.ticket SK_S=$chirp_server SK_D=$directory SK_L=$work/lost find . -type f -exec sh -c '
            LC_ALL=C
            for file do
                # the tools turn every byte beyond ASCII into the same one, so that names would meet and overwrite each other
                case $file in *[!\ -~]*) printf "%s (Chirp carries no names beyond ASCII)\n" "$SK_D/${file#./}" >>"$SK_L"; continue ;; esac
                there=$SK_D/${file#./}
                case ${file#./} in
                    */*) chirp -a ticket -i "$SK_T" -t 60 "$SK_S" mkdir -p "${there%/*}" >/dev/null 2>&1 ;;
                esac
                said=$(chirp_put -a ticket -i "$SK_T" -t 60 "$file" "$SK_S" "$there" 2>&1 </dev/null)
                chirp_get -a ticket -i "$SK_T" -t 60 "$SK_S" "$there" - 2>/dev/null </dev/null | cmp -s - "$file" ||
                    printf "%s %s\n" "$there" "${said:+($said)}" >>"$SK_L"
            done' sh {} +)
    done
    if [ -s "$work/lost" ]; then
        say "ERROR: not written to $chirp_server: $(tr '\n' ' ' <"$work/lost")"
        return 1
    fi
}

# --- what happens --------------------------------------------------------------------------------------------------------------------

now=$(date +%s 2>/dev/null)
case $now in '' | *[!0-9]*) say "the clock cannot be read as seconds: the ticket's end is left to the server"; now='' ;; esac
if [ -n "$ticket_expires" ] && [ -n "$now" ]; then
    [ "$now" -lt "$ticket_expires" ] ||
        fail 201 "Ticket expired, exiting... (its end was $((now - ticket_expires)) s ago: make the wrapper anew with skeleton_key)"
    debug "the ticket is good for $((ticket_expires - now)) s more"
fi

for base in "${_CONDOR_SCRATCH_DIR:-}" "${OSG_WN_TMP:-}" "${TMPDIR:-}" /tmp; do
    [ -n "$base" ] && [ -d "$base" ] && [ -w "$base" ] && break
    base=''
done
[ -n "$base" ] || fail 204 "no directory to work in: neither TMPDIR nor /tmp can be written to"
case $base in /*) ;; *) base=$start_dir/$base ;; esac
work=$(mktemp -d "$base/skeleton_key.XXXXXXXX") || { work=''; fail 204 "cannot make a working directory in $base"; }
debug "working in $work"
exec 3<&0
start_guard
mkdir -p "$work/job" "$work/tmp" "$work/tools" || { need_space 'the working directory'; fail 204 "cannot make directories in $work"; }

proxy=$http_proxy_named
case ${OSG_SQUID_LOCATION:-UNAVAILABLE} in
    UNAVAILABLE) ;;
    http://* | https://*) proxy=$OSG_SQUID_LOCATION ;;
    *) proxy=http://$OSG_SQUID_LOCATION ;;
esac

# the gateway's own file is renewed: a copy is what the tools begin with
if [ -n "$of_gateway" ]; then
    chirp_server=${JOBGATE_CHIRP_SERVER:-}
    [ -n "$chirp_server" ] && [ -r "${CHIRP_CLIENT_TICKETS:-}" ] ||
        fail 206 "the gateway has made no ticket for this job: was it submitted with the description that skeleton_key makes?"
    write_ticket() { cat -- "$CHIRP_CLIENT_TICKETS"; }
fi
if [ -n "$has_ticket" ]; then write_ticket >"$work/chirp.ticket" || { need_space 'the ticket'; fail 204 "cannot write the ticket"; }; fi
if [ -n "$has_user_proxy" ]; then write_user_proxy >"$work/user_proxy" || { need_space 'the proxy'; fail 204 "cannot write the proxy"; }; fi
if [ -n "$has_bundle" ]; then
    mkdir -p "$work/tools/bundle"
    { write_bundle | base64 -d >"$work/bundle" 2>/dev/null; } || { need_space 'the bundle'; fail 204 'cannot unpack the bundle: is base64 here?'; }
    unpack "$work/bundle" "$work/tools/bundle" 'the bundle'
    use_tools "$work/tools/bundle"
fi

# CVMFS: what is mounted is used; for the rest parrot
parrot_repos=''
cvmfs_repository() { # NAME URL-OF-KEY SHA256 OPTIONS-BEFORE-PROXIES-WITHOUT-PUBKEY NAME-OF-KEY-FILE
    if within 60 ls "${CVMFS_MOUNT_DIR:-/cvmfs}/$1" 2>/dev/null | grep -q .; then
        say "/cvmfs/$1: mounted on this node"
        return 0
    fi
    parrot_works || fail 206 "/cvmfs/$1 is not mounted on this node, and parrot cannot give it: $parrot_checked"
    say "/cvmfs/$1: through parrot"
    mkdir -p "$work/keys"
    fetch "$2" "$work/keys/$5" "$3" file "the key of $1"
    with=$4
    if [ -n "$proxy" ]; then
        case ,$with, in
            *,proxies=*) with=$(printf '%s' "$with" | P="$proxy" awk '{ i = index("," $0, ",proxies="); print substr($0, 1, i + 7) ENVIRON["P"] ";" substr($0, i + 8) }') ;;
            *) with="$with,proxies=$proxy" ;;
        esac
    fi
    parrot_repos="$parrot_repos${parrot_repos:+ }$1:$with,pubkey=$work/keys/$5"
}
cvmfs_repositories
heed

if [ -n "$app_url" ]; then
    fetch "$app_url" "$work/application.archive" "$app_sha256" archive 'the application'
    unpack "$work/application.archive" "$work/job" 'the application'
fi

way=''
if [ -n "$has_ticket" ]; then
    for candidate in $access; do
        case $candidate in
            parrot) if parrot_works; then way=parrot CHIRP_MOUNT=/chirp/$chirp_server; break; fi; say "data not through parrot: $parrot_checked" ;;
            fuse) if mount_fuse; then way=fuse; break; fi; say "data not through FUSE: $fuse_refused" ;;
            copy) if can_copy; then way=copy; copy_in_named; break; fi; say "data not by copies: $copy_refused" ;;
        esac
    done
    [ -n "$way" ] || fail 206 "no way to the data at $chirp_server on this node (tried: $access). Bring the tools with [Parrot] location or --bundle."
    say "data of $chirp_server through $way, in CHIRP_MOUNT"
    export CHIRP_MOUNT
    if [ $way = copy ]; then make_written; fi
fi

if [ -n "$proxy" ]; then
    http_proxy=$proxy HTTP_PROXY=$proxy
    export http_proxy HTTP_PROXY
fi
if [ -n "$has_user_proxy" ]; then X509_USER_PROXY=$work/user_proxy; export X509_USER_PROXY; fi
SKELETON_KEY_START_DIR=$start_dir
export SKELETON_KEY_START_DIR

cd "$work/job" || fail 204 "cannot enter $work/job"
case $script in
    /*) command=$script ;;
    */*) command=$work/job/$script ;;
    *) if [ -f "$script" ]; then command=$work/job/$script; elif [ -f "$start_dir/$script" ]; then command=$start_dir/$script; else command=$(command -v "$script" || :); fi ;;
esac
if [ -z "$command" ] || [ ! -f "$command" ]; then
    # relative to where the wrapper was started: a batch system may have brought it there
    if [ -f "$start_dir/$script" ]; then command=$start_dir/$script; else fail 207 "the script $script is neither in the application${app_url:+ ($app_url)} nor in $start_dir nor a command of this node"; fi
fi
[ -x "$command" ] || fail 207 "the script $command is not executable"

# A shell starts what it puts into the background with INT and QUIT ignored; these give them back.
if env --default-signal=INT --default-signal=QUIT true 2>/dev/null; then restore='env --default-signal=INT --default-signal=QUIT'
elif have perl; then restore=perl
else restore=''; fi
own_group=''
if have setsid; then own_group=setsid; fi
run() { # the script, as a process group of its own
    umask "$own_umask"
    # by it its processes are found at the end
    SKELETON_KEY_WORK=$work
    # what it leaves in files goes too
    TMPDIR=$work/tmp
    export SKELETON_KEY_WORK TMPDIR
    if [ "$restore" = perl ]; then
        exec $own_group perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec {$ARGV[0]} @ARGV or die "$ARGV[0]: $!\n"' "$@" 3<&- 8>&- 9>&-
    fi
    # shellcheck disable=SC2086 # words
    exec $own_group $restore "$@" 3<&- 8>&- 9>&-
}
# shellcheck disable=SC2154
set_arguments_and_run() {
    if [ "$way" = parrot ] || [ -n "$parrot_repos" ]; then
        PARROT_ALLOW_SWITCHING_CVMFS_REPOSITORIES=1
        export PARROT_ALLOW_SWITCHING_CVMFS_REPOSITORIES
        set -- "$command" "$@"
        if [ "$way" = parrot ]; then set -- -a ticket -i "$work/chirp.ticket" "$@"; fi
        if [ -n "$parrot_repos" ]; then set -- -r "$parrot_repos" "$@"; fi
        set -- parrot_run -t "$work/parrot_cache" "$@"
    else
        set -- "$command" "$@"
    fi
    heed
    debug "running $*"
    : >"$work/started"
    (run "$@") <&3 &
    script_pid=$!
    printf '%s\n' "$script_pid" >"$work/script.pid"
    exec 3<&-
    # a signal that came in between
    case $stopped in '' | 10 | 12) ;; *) kill -TERM "-$script_pid" 2>/dev/null || kill -TERM "$script_pid" 2>/dev/null || : ;; esac
    awaited "$script_pid"
}
run_with_arguments "$@"
debug "the script ended with status $status"
ended=$status
if [ "$way" = copy ]; then
    end_processes
    script_pid=''
    copy_out_written || { [ "$ended" -ne 0 ] || ended=205; }
fi
[ "$ended" -eq 0 ] || debug "Application exited with error"
exit "$ended"
