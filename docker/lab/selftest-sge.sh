# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# Grid Engine's part of selftest.
# shellcheck disable=SC2016 # awk's dollars

submit_job() { # CASE
    local more=() out=$1.out
    case $1 in
        walltime) more=(-l h_rt=5) ;;
        held) more=(-h) ;;
        pending) more=(-a "$(date -d +1hour +%Y%m%d%H%M)") ;;
        broken) out=/no/such/directory/out ;;
    esac
    # a name of Grid Engine begins with a letter
    as_account jobgate-a qsub -terse -b y -cwd -j y -o "$out" -N "jg_$(tag_of "$1")" -ac "JOBGATE_ID=$(tag_of "$1")" -shell n "${more[@]}" \
        /bin/sh -c "${COMMAND[$1]}"
}

cancel_job() { as_account jobgate-a qdel "$1" >/dev/null; }
suspend_job() { as_account jobgate-a qmod -sj "$1" >/dev/null; }
state_in_queue() { qstat -u '*' | awk -v id="$1" '$1 == id { print $5 }'; }
is_running() { [ "$(state_in_queue "$1")" = r ]; }
record_of() { qacct -j "$1" 2>/dev/null | awk -v key="$2" '$1 == key { sub(/^[^ ]+ +/, ""); sub(/ +$/, ""); print }'; }
# has_event ID EVENT USER-PATTERN: looks into the reporting file. Its fields: time, "job_log", time, event, job, task, parallel environment, state, user ...
has_event() {
    awk -F: -v id="$1" -v event="$2" -v user="$3" '$2 == "job_log" && $4 == event && $5 == id && $9 ~ user { found = 1 } END { exit !found }' \
        "$JOBGATE_LAB_SGE_COMMON/reporting"
}

# Not by qacct: a job that never ran leaves no record there, and one that could not be started leaves one while it is still queued.
has_ended() { has_event "$1" finished '^master$'; }

# The accounting record of a cancelled job is that of any job killed by SIGKILL (failed 100, exit_status 137); who asked for the deletion is only in
# the reporting file, where every job that ends well is "deleted" by the scheduler too.
ending_of() {
    local code failed
    code=$(record_of "$1" exit_status)
    failed=$(record_of "$1" failed)
    if [ "${failed%% *}" = 37 ]; then
        echo "over wall time"
    elif has_event "$1" deleted '^jobgate-'; then
        echo cancelled
    elif [ "${failed%% *}" = 0 ] || [ "${failed%% *}" = 100 ]; then
        if [ "${code%% *}" -gt 128 ]; then echo "signal $((${code%% *} - 128))"; else echo "exit ${code%% *}"; fi
    else
        echo "unknown: failed $failed, exit_status $code"
    fi
}

has_state() { [ "$(state_in_queue "$1")" = "$2" ]; }

take_live_samples() {
    wait_until "$RUNNING_SECONDS_MAX" has_state "${ID[suspended]}" s || true
    wait_until "$RUNNING_SECONDS_MAX" has_state "${ID[broken]}" Eqw || true
    capture live.qstat.txt qstat -u '*'
    capture live.qstat-xml.xml qstat -xml -u '*'
    capture live.qstat-r-xml.xml qstat -xml -r -u '*'
    capture live.qstat-f.txt qstat -f -u '*'
    local case
    for case in $LIVE_CASES; do
        capture "$case.qstat-j.txt" qstat -j "${ID[$case]}"
        capture "$case.qstat-j-xml.xml" qstat -xml -j "${ID[$case]}"
    done
    capture broken.qacct-while-queued.txt qacct -j "${ID[broken]}"
    capture pool.qstat-g-c.txt qstat -g c
    capture pool.qhost.txt qhost
    capture pool.qhost-xml.xml qhost -xml -q
    capture pool.qconf-sql.txt qconf -sql
    capture pool.qconf-sq.txt qconf -sq all.q
    capture pool.qconf-spl.txt qconf -spl
    capture pool.version.txt sh -c 'qstat -help | head -n 1'
}

take_ended_samples() {
    local case pattern
    for case in $ENDING_CASES $LIVE_CASES; do capture "$case.qacct.txt" qacct -j "${ID[$case]}"; done
    pattern=$(IFS='|'; echo "${ID[*]}")
    capture ended.accounting.txt awk -F: -v ids="^($pattern)\$" '$6 ~ ids' "$JOBGATE_LAB_SGE_COMMON/accounting"
    capture ended.reporting.txt awk -F: -v ids="^($pattern)\$" '/^#/ || ($2 == "new_job" && $4 ~ ids) || ($2 == "job_log" && $5 ~ ids) || ($2 == "acct" && $8 ~ ids)' \
        "$JOBGATE_LAB_SGE_COMMON/reporting"
    capture ended.qmaster-messages.txt grep -E "job ($pattern)(\.1)? " "$LAB/sge/spool/qmaster/messages"
    capture ended.execd-messages.txt sh -c "cat $LAB/sge/spool/execd/*/messages | grep -E 'job ($pattern)\.1 '"
    capture ended.qstat-s-z.txt qstat -s z -u '*'
    capture none.qstat.txt qstat -u nobody
    capture none.qstat-xml.xml qstat -xml -u nobody
}

take_refusals() {
    capture refused.qstat-j-unknown.txt qstat -j 999999
    capture refused.qstat-j-unknown-xml.xml qstat -xml -j 999999
    capture refused.qacct-unknown.txt qacct -j 999999
    capture refused.qdel-unknown.txt qdel 999999
    capture refused.qdel-ended.txt as_account jobgate-a qdel "${ID[ok]}"
    local held
    held=$(as_account jobgate-a qsub -terse -h -b y -o /dev/null -j y /bin/true)
    capture refused.qdel-of-another.txt as_account jobgate-b qdel "$held"
    cancel_job "$held"
    capture refused.qsub-bad-queue.txt as_account jobgate-a qsub -terse -q nowhere.q -b y -o /dev/null -j y /bin/true
    capture refused.qsub-bad-queue-verified.txt as_account jobgate-a qsub -terse -w e -q nowhere.q -b y -o /dev/null -j y /bin/true
    capture refused.qsub-bad-project.txt as_account jobgate-a qsub -terse -P nowhere -b y /bin/true
    capture refused.qsub-bad-pe.txt as_account jobgate-a qsub -terse -pe nowhere 2 -b y /bin/true
    capture refused.qsub-bad-resource.txt as_account jobgate-a qsub -terse -l nosuch=1 -b y /bin/true
    capture refused.qsub-bad-name.txt as_account jobgate-a qsub -terse -N 7name -b y /bin/true
    capture refused.qsub-bad-option.txt as_account jobgate-a qsub -terse --nosuch
    capture refused.qstat-no-master.txt env SGE_QMASTER_PORT=1 qstat
    capture refused.qsub-no-master.txt as_account jobgate-a env SGE_QMASTER_PORT=1 qsub -terse -b y /bin/true
}
