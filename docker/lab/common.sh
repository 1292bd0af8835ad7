# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034 # some names here are for the scripts that source this
# Sourced by the scripts of the lab. A script sets NAME and defines install_it, configure_it, start_it, cancel_jobs, stop_it, status_it,
# env_it and first_job, then calls lab_main "$@".
set -euo pipefail
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

LAB=${JOBGATE_LAB:-/var/lib/jobgate-lab}
LAB_SLOTS=${JOBGATE_LAB_SLOTS:-32}
LAB_ACCOUNTS="jobgate-a jobgate-b jobgate-c"
LAB_SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
MACHINE_LOCKS=/run/jobgate-lab # for what all labs of this machine share: packages and accounts
START_SECONDS_MAX=60 # a daemon that does not answer by then is broken
STOP_SECONDS_MAX=20  # a daemon that has not ended by then is killed
JOB_SECONDS_MAX=60   # the first job of a system that is up

say() { printf '[%s] %s\n' "${NAME:-lab}" "$*" >&2; }
die() { say "$*"; exit 1; }

need_root() { [ "$(id -u)" -eq 0 ] || die "must run as root: it installs packages, starts daemons and makes accounts"; }

# Seconds since $1, a value of $EPOCHREALTIME, with one decimal.
since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }

# wait_until SECONDS COMMAND...: asks ten times a second until the command succeeds; fails when the seconds are over.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}

# --- daemons: a pid alone may be somebody else's after a while, so it is recorded with the time at which that process started

process_start() { # PID: in clock ticks since boot; the command name before it may hold blanks and parentheses
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    stat=${stat##*) }
    # shellcheck disable=SC2086 # the fields are wanted one by one
    set -- $stat
    [ "$1" != Z ] && printf '%s\n' "${20}"
}

remember_daemon() { # NAME PID
    local start
    start=$(process_start "$2") || die "$1 ended at once; its log is below $LAB/$NAME"
    printf '%s %s\n' "$2" "$start" >"$LAB/$NAME/run/$1.started"
}

daemon_pid() { # NAME: prints the pid of what we started, if that very process still lives
    local pid start
    { read -r pid start <"$LAB/$NAME/run/$1.started"; } 2>/dev/null || return 1
    [ "$(process_start "$pid")" = "$start" ] && printf '%s\n' "$pid"
}

# adopt_daemon NAME PIDFILE: for daemons that go to the background by themselves and then write their own pid file.
adopt_daemon() {
    wait_until "$START_SECONDS_MAX" test -s "$2" || die "$1 wrote no pid into $2"
    remember_daemon "$1" "$(cat "$2")"
}

# run_daemon NAME LOG COMMAND...: for daemons that stay in the foreground. Descriptor 9 is our lock: no daemon may keep it.
run_daemon() {
    local name=$1 log=$2
    shift 2
    setsid "$@" </dev/null >>"$log" 2>&1 9>&- &
    remember_daemon "$name" $!
    disown
}

# stop_daemon NAME [SIGNAL]: ends the daemon; when it has to be killed, what it had started is killed too: orphans would keep its ports.
stop_daemon() {
    local pid family
    pid=$(daemon_pid "$1") || return 0
    family=$(descendants "$pid")
    kill "-${2:-TERM}" "$pid"
    if ! wait_until "$STOP_SECONDS_MAX" gone "$1"; then
        say "$1 (pid $pid) does not end by itself: killed"
        kill -KILL "$pid"
        kill_family "$family"
    fi
    rm -f "$LAB/$NAME/run/$1.started"
}

descendants() { # PID: lines of "pid start" of all processes below it
    local child
    # shellcheck disable=SC2013 # the children are words of one line
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
        printf '%s %s\n' "$child" "$(process_start "$child")"
        descendants "$child"
    done
}

kill_family() { # LINES of "pid start"
    local pid start
    while read -r pid start; do
        if [ -n "$start" ] && [ "$(process_start "$pid")" = "$start" ]; then kill -KILL "$pid" || true; fi
    done <<<"$1"
}

need_free_port() { # PORT VARIABLE [HOST]: a clear word at once instead of a daemon that retries
    if (: <"/dev/tcp/${3:-127.0.0.1}/$1") 2>/dev/null; then die "port $1 is in use by $(port_holder "$1"); set $2 to a free one"; fi
}

# The process that listens on a port, and the lab that it belongs to, as far as this account may see them.
port_holder() { # PORT
    local inode directory pid lab hex
    hex=$(printf '%04X' "$1")
    for inode in $(awk -v port=":$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null); do
        directory=$(find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\[$inode\]" -print -quit 2>/dev/null || true)
        [ -n "$directory" ] || continue
        pid=${directory#/proc/}
        pid=${pid%%/*}
        lab=$(lab_of_process "$pid")
        printf '%s (pid %s)%s\n' "$(cat "/proc/$pid/comm" 2>/dev/null)" "$pid" "${lab:+ of the lab in $lab}"
        return 0
    done
    echo "another program"
}

# The directory of the lab that started a process: what `env_it` prints stands in the environment of every daemon.
lab_of_process() { # PID
    tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null |
        sed -nE 's!^(CONDOR_CONFIG|SLURM_CONF|SGE_ROOT|GRIDMAP)=(/.*)/(htcondor/etc/condor_config|slurm/etc/slurm\.conf|sge/cell|gridftp/pki/grid-mapfile)$!\2!p' |
        head -n 1
}

gone() { ! daemon_pid "$1"; }

# --- packages and accounts

apt_get() { apt-get -q -o DPkg::Lock::Timeout=600 "$@" >>"$LAB/apt.log" 2>&1 || die "apt-get $1 failed; see $LAB/apt.log"; }

# alone COMMAND...: one after another, when several systems, or labs, are brought up at once: apt-get itself waits for dpkg's lock only, not for its lists and archives.
alone() {
    mkdir -p "$LAB" "$MACHINE_LOCKS"
    (flock -w 900 9 || die "another installation held $MACHINE_LOCKS/apt.lock for 15 minutes"; "$@") 9>>"$MACHINE_LOCKS/apt.lock"
}

fresh_lists() {
    [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -720 2>/dev/null)" ] || apt_get update
}

# need_packages NAME...: installs what is missing, without letting a package start its daemon.
need_packages() { alone install_missing "$@"; }

install_missing() {
    local package missing=()
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "apt-get install ${missing[*]}"
    fresh_lists
    (
        policy=/usr/sbin/policy-rc.d
        ours='# only there while packages for tests are installed; if nothing installs any now, remove it'
        # also one that a run of ours has left which was killed at once
        if [ ! -e "$policy" ] || grep -qxF "$ours" "$policy"; then
            trap 'exit 130' HUP INT TERM
            trap 'rm -f "$policy"' EXIT
            printf '#!/bin/sh\n%s\nexit 101\n' "$ours" >"$policy"
            chmod 755 "$policy"
        fi
        apt_get install -y --no-install-recommends "${missing[@]}"
    ) || exit 1
}

# unpack_packages DIRECTORY NAME...: unpacks packages beside the system: no dependency, no conflict, no maintainer script counts.
unpack_packages() {
    local directory=$1 work
    shift
    work=$(mktemp -d)
    alone fresh_lists
    (cd "$work" && apt_get -o APT::Sandbox::User=root download "$@")
    mkdir -p "$directory"
    find "$work" -name '*.deb' -exec dpkg-deb -x {} "$directory" \;
    rm -rf "$work"
}

# fetch_trixie DIRECTORY PACKAGE...: downloads packages of Debian trixie with all they need into DIRECTORY/cache/archives. The empty dpkg status makes apt count nothing of this machine as installed.
fetch_trixie() {
    local work=$1
    shift
    mkdir -p "$work"/{lists,cache/archives}/partial
    : >"$work/status"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "$(debian_mirror)" >"$work/sources.list"
    cat >"$work/apt.conf" <<E
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$work";
Dir::State::Lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "3";
APT::Sandbox::User "root";
Debug::NoLocking "true";
E
    (
        export APT_CONFIG=$work/apt.conf
        apt_get update
        apt_get install -y --no-install-recommends --download-only "$@"
    )
}

# relocate_programs TREE LIBRARIES: gives every dynamic program of a tree the unpacked loader and libraries. A run path of the old kind (DT_RPATH) also covers libraries of libraries and
# plug-ins, and unlike LD_LIBRARY_PATH nothing of it reaches the jobs.
relocate_programs() {
    local tree=$1 libraries=$2 program magic
    while IFS= read -r program; do
        LC_ALL=C IFS= read -r -n 4 magic <"$program" 2>/dev/null || continue
        [ "$magic" = $'\x7fELF' ] || continue
        patchelf --print-interpreter "$program" >/dev/null 2>&1 || continue
        patchelf --set-interpreter "$libraries/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$libraries" "$program"
    done < <(find "$tree" -type f -perm -u+x)
}

debian_mirror() { # the one that this machine's own sources name
    local mirror
    mirror=${JOBGATE_LAB_MIRROR:-$(sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +(https?:[^ ]+\/debian)\/?( .*)?$/\3/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)}
    [ -n "$mirror" ] || die "no Debian mirror found in this machine's sources; set JOBGATE_LAB_MIRROR to one"
    printf '%s\n' "$mirror"
}

system_account() { # NAME HOME
    getent passwd "$1" >/dev/null || useradd --system --user-group --no-create-home --home-dir "$2" --shell /usr/sbin/nologin "$1"
}

account_home() { getent passwd "$1" | cut -d: -f6; }

# An account that another lab made is used with the home that it has; one that is no account for jobs is refused.
check_account() { # NAME: an account that exists
    local uid home owner
    uid=$(getent passwd "$1" | cut -d: -f3)
    home=$(account_home "$1")
    [ "$uid" != 0 ] || die "the account $1 is root by another name (uid 0), and the lab runs jobs as $1; remove or rename that account"
    case $home in
        / | /nonexistent | '' | [!/]*) die "the account $1 exists and has no home of its own ('$home'); give it one with: usermod -d DIRECTORY $1" ;;
    esac
    [ -e "$home" ] || return 0
    owner=$(stat -L -c %U "$home")
    [ "$owner" = "$1" ] || die "the account $1 exists, and its home $home belongs to $owner; give it a home of its own with: usermod -d DIRECTORY $1"
}

# as_account ACCOUNT COMMAND...: runs a command as one of the lab's accounts, in its home, with an empty environment but for what says who and
# where it is, PATH, and what finds the batch systems. No login shell is used: it could print.
as_account() {
    local account=$1 home variable keep=()
    shift
    home=$(account_home "$account")
    [ -n "$home" ] || die "no account $account; make the lab's accounts with: $LAB_SCRIPTS/accounts up"
    for variable in PATH CONDOR_CONFIG SLURM_CONF SGE_ROOT SGE_CELL SGE_QMASTER_PORT SGE_EXECD_PORT; do
        if [ -n "${!variable:-}" ]; then keep+=("$variable=${!variable}"); fi
    done
    (
        cd "$home"
        exec setpriv --reuid "$account" --regid "$account" --init-groups \
            env -i HOME="$home" USER="$account" LOGNAME="$account" SHELL=/bin/bash LANG=C "${keep[@]}" "$@" 9>&-
    )
}

# --- the commands that every system answers

# The directory of a lab holds programs and keys that daemons of root trust, and nothing else.
check_directory() {
    local above found owner
    [[ $LAB =~ ^/[A-Za-z0-9._/-]+$ ]] ||
        die "JOBGATE_LAB is '$LAB'; it must be the full path of a directory, of letters, digits and . _ - / only"
    above=$(dirname "$LAB")
    while [ "$above" != / ]; do
        [ ! -e "$above/accounts.lock" ] || die "JOBGATE_LAB is $LAB, which lies inside the lab in $above; choose a directory beside it"
        above=$(dirname "$above")
    done
    [ -e "$LAB" ] || return 0
    [ -d "$LAB" ] || die "JOBGATE_LAB is $LAB, which is no directory"
    owner=$(stat -L -c %U "$LAB")
    [ "$owner" = root ] || die "JOBGATE_LAB is $LAB, which belongs to $owner and not to root; choose another directory"
    [ ! -e "$LAB/accounts.lock" ] || return 0
    found=$(find "$LAB" -mindepth 1 -maxdepth 1 ! -name htcondor ! -name slurm ! -name sge ! -name gridftp ! -name torque-wrappers \
        ! -name file-servers ! -name chirp ! -name gram5 ! -name arex ! -name home ! -name selftest ! -name apt.lock ! -name apt.log -printf '%f' -quit)
    [ -z "$found" ] || die "JOBGATE_LAB is $LAB, which holds $found and is no lab; choose an empty or new directory"
}

is_running() { # whether any daemon of this system, in this lab, runs
    local started
    for started in "$LAB/$NAME"/run/*.started; do
        [ -e "$started" ] || continue
        if daemon_pid "$(basename "$started" .started)" >/dev/null; then return 0; fi
    done
    return 1
}

# Reports conflicts with another lab before anything is installed or written. A system overrides ports_it: lines of "PORT VARIABLE HOST".
ports_it() { :; }

check_ports() {
    local port variable host before
    if is_running; then
        before=$(cat "$LAB/$NAME/run/port" 2>/dev/null) || return 0 # a lab that an earlier version brought up
        [ "$before" = "${PORT:-}" ] || die "the lab in $LAB runs with port $before, and port ${PORT:-} is asked for; for a second lab set" \
            "JOBGATE_LAB to a directory of its own, or stop this one first with: $LAB_SCRIPTS/$NAME down"
        return 0
    fi
    while read -r port variable host; do need_free_port "$port" "$variable" "$host"; done < <(ports_it)
}

lab_lock() { # one up or down per system at a time
    mkdir -p "$LAB/$NAME"/{run,log}
    exec 9>"$LAB/$NAME/lock"
    flock -w 600 9 || die "another $NAME up or down is still running"
}

lab_up() {
    local begin=$EPOCHREALTIME installed started
    need_root
    check_directory
    lab_lock
    check_ports
    "$LAB_SCRIPTS/accounts" up 9>&-
    install_it
    installed=$(since "$begin")
    begin=$EPOCHREALTIME
    configure_it
    start_it
    if [ -n "${PORT:-}" ]; then printf '%s\n' "$PORT" >"$LAB/$NAME/run/port"; fi
    eval "$(env_it)"
    started=$(since "$begin")
    begin=$EPOCHREALTIME
    first_job || die "the first job did not end well; logs: $LAB/$NAME/log"
    say "up: installed in $installed s, started in $started s, first job from submission to its end in $(since "$begin") s"
}

# Jobs are cancelled first: their processes would outlive the daemons of Slurm and Grid Engine. A test of a restart keeps them.
lab_down() { # [keep-jobs]
    need_root
    [ -d "$LAB/$NAME/run" ] || return 0
    lab_lock
    eval "$(env_it)"
    if [ "${1:-}" != keep-jobs ]; then cancel_jobs || say "not all jobs could be cancelled"; fi
    stop_it
    say "down"
}

# For images: what takes long, and needs no daemon.
lab_install() {
    need_root
    check_directory
    lab_lock
    "$LAB_SCRIPTS/accounts" up 9>&-
    install_it
}

# For containers: up, then here until the container is stopped; down then.
lab_stay() {
    lab_up
    exec 9>&-
    trap 'exit 0' TERM INT
    trap lab_down EXIT
    : >"$LAB/$NAME/run/ready"
    while status_it >/dev/null; do sleep 5 & wait $!; done
    die "does not run any more; logs: $LAB/$NAME/log"
}

lab_main() {
    case "${1:-}" in
        install) lab_install ;;
        stay) lab_stay ;;
        up) lab_up ;;
        down) lab_down "${2:-}" ;;
        status) eval "$(env_it)"; status_it ;;
        env) env_it ;;
        *) die "usage: $0 up | down [keep-jobs] | status | env | install | stay" ;;
    esac
}
