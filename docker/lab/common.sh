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
    if (: <"/dev/tcp/${3:-127.0.0.1}/$1") 2>/dev/null; then die "port $1 is in use by another program; set $2 to a free one"; fi
}

gone() { ! daemon_pid "$1"; }

# --- packages and accounts

apt_get() { apt-get -q -o DPkg::Lock::Timeout=600 "$@" >>"$LAB/apt.log" 2>&1 || die "apt-get $1 failed; see $LAB/apt.log"; }

# alone COMMAND...: one after another, when several systems are brought up at once: apt-get itself waits for dpkg's lock only, not for its lists and archives.
alone() {
    mkdir -p "$LAB"
    (flock -w 900 9 || die "another installation held $LAB/apt.lock for 15 minutes"; "$@") 9>>"$LAB/apt.lock"
}

fresh_lists() {
    [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -720 2>/dev/null)" ] || apt_get update
}

# need_packages NAME...: installs what is missing, without letting a package start its daemon.
need_packages() { alone install_missing "$@"; }

install_missing() {
    local package missing=() policy=/usr/sbin/policy-rc.d ours=
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "apt-get install ${missing[*]}"
    fresh_lists
    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod 755 $policy
        ours=1
    fi
    (apt_get install -y --no-install-recommends "${missing[@]}") || { rm -f ${ours:+"$policy"}; exit 1; }
    rm -f ${ours:+"$policy"}
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

lab_lock() { # one up or down per system at a time
    mkdir -p "$LAB/$NAME"/{run,log}
    exec 9>"$LAB/$NAME/lock"
    flock -w 600 9 || die "another $NAME up or down is still running"
}

lab_up() {
    local begin=$EPOCHREALTIME installed started
    need_root
    lab_lock
    "$LAB_SCRIPTS/accounts" up 9>&-
    install_it
    installed=$(since "$begin")
    begin=$EPOCHREALTIME
    configure_it
    start_it
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
