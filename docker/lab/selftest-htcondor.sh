# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# HTCondor's part of selftest.
# shellcheck disable=SC2016 # awk's dollars

submit_job() { # CASE
    local line='' out=$1.out
    case $1 in
        walltime) line='periodic_remove = (JobStatus == 2) && (time() - EnteredCurrentStatus > 3)' ;;
        broken) out=/no/such/directory/out ;;
        held) line='hold = true' ;;
        pending) line='requirements = (Machine == "nowhere")' ;;
    esac
    as_account jobgate-a condor_submit -terse - <<E | sed 's/ .*//'
executable = /bin/sh
arguments = "-c '${COMMAND[$1]}'"
output = $out
error = $1.err
log = $1.log
should_transfer_files = NO
My.JobgateId = "$(tag_of "$1")"
$line
queue
E
}

cancel_job() { as_account jobgate-a condor_rm "$1" >/dev/null; }
suspend_job() { as_account jobgate-a condor_suspend "$1" >/dev/null; }
is_running() { has_status "$1" 2; }
has_ended() { [ -n "$(history_of "$1" JobStatus)" ]; }
history_of() { condor_history -limit 1 "$1" -af "${@:2}"; }

ending_of() {
    local status reason
    read -ra status < <(history_of "$1" JobStatus ExitBySignal ExitCode ExitSignal)
    reason=$(history_of "$1" RemoveReason)
    case "${status[0]} ${status[1]}" in
        '4 false') echo "exit ${status[2]}" ;;
        '4 true') echo "signal ${status[3]}" ;;
        3*) case $reason in
            'via condor_rm'*) echo cancelled ;;
            *PeriodicRemove*) echo "over wall time" ;;
            *) echo "removed: $reason" ;;
        esac ;;
        *) echo "unknown: ${status[*]}" ;;
    esac
}

take_live_samples() {
    wait_until "$RUNNING_SECONDS_MAX" has_status "${ID[suspended]}" 7
    wait_until "$RUNNING_SECONDS_MAX" has_status "${ID[broken]}" 5
    local mine=(-constraint "substr(JobgateId, 0, 34) == \"$TAG_PREFIX\"")
    capture live.condor_q.txt condor_q -allusers
    capture live.condor_q-nobatch.txt condor_q -allusers -nobatch
    capture live.condor_q-af.txt condor_q -allusers "${mine[@]}" -af:tj ClusterId ProcId JobgateId JobStatus Owner HoldReasonCode HoldReasonSubCode HoldReason
    capture live.condor_q-json.json condor_q -allusers "${mine[@]}" -json
    capture running.condor_q-long.txt condor_q -long "${ID[running]}"
    capture pending.condor_q-analyze.txt condor_q -better-analyze "${ID[pending]}"
    capture none.condor_q-json.json condor_q -allusers -constraint 'JobgateId == "nobody"' -json
    capture pool.condor_status.txt condor_status
    capture pool.condor_status-af.txt condor_status -af:tj Name State Activity Cpus Memory
    capture pool.condor_status-schedd.json condor_status -schedd -json -attributes Name,TotalIdleJobs,TotalRunningJobs,TotalHeldJobs
    capture pool.condor_version.txt condor_version
    capture refused.condor_rm-unknown.txt condor_rm 999999
    capture refused.condor_rm-of-another.txt as_account jobgate-b condor_rm "${ID[running]}"
    # the events of a hold and a release of a running job
    condor_hold "${ID[running]}" >/dev/null && wait_until "$RUNNING_SECONDS_MAX" has_status "${ID[running]}" 5
    capture userheld.condor_q-af.txt condor_q "${ID[running]}" -af:tj JobStatus HoldReasonCode HoldReasonSubCode HoldReason
    condor_release "${ID[running]}" >/dev/null && wait_until "$RUNNING_SECONDS_MAX" is_running "${ID[running]}"
}

has_status() { [ "$(condor_q "$1" -af JobStatus)" = "$2" ]; }

take_ended_samples() {
    local case
    for case in $ENDING_CASES; do
        capture "$case.condor_history-long.txt" condor_history -limit 1 -long "${ID[$case]}"
        capture "$case.user-log.txt" cat "$(account_home jobgate-a)/$case.log"
    done
    for case in $LIVE_CASES; do capture "$case.user-log.txt" cat "$(account_home jobgate-a)/$case.log"; done
    capture ended.condor_history-json.json condor_history -json -limit 20 -since "${ID[ok]}" -constraint "substr(JobgateId, 0, 34) == \"$TAG_PREFIX\""
    capture ended.condor_history-af.txt condor_history -limit 20 -constraint "substr(JobgateId, 0, 34) == \"$TAG_PREFIX\"" \
        -af:tj ClusterId ProcId JobgateId JobStatus ExitBySignal ExitCode ExitSignal RemoveReason
    event_log_of_this_run
}

# The whole event log from this run's first event on, with the header that every event log begins with.
event_log_of_this_run() {
    capture event-log.txt awk -v first="${ID[ok]}" '
        NR == 1 { keep = 1 }
        keep { print }
        /^\.\.\.$/ { keep = 0; getline; split($2, id, /[(.]/); keep = id[2] + 0 >= first; if (keep) print }
    ' "$JOBGATE_LAB_CONDOR_EVENT_LOG"
}

take_refusals() {
    capture refused.condor_rm-unknown-empty-queue.txt condor_rm 999999
    capture refused.condor_q-unknown.txt condor_q 999999
    capture refused.submit-bad-line.txt submit_text 'request_cpus = 1 +'
    capture refused.submit-bad-universe.txt submit_text 'universe = nowhere'
    capture refused.submit-no-executable.txt submit_text 'executable = /no/such/program'
    capture refused.submit-root.txt condor_submit -terse - <<<$'executable = /bin/true\nqueue'
    capture refused.condor_q-no-schedd.txt condor_q -name nowhere
}

submit_text() { as_account jobgate-a condor_submit -terse - <<<$'executable = /bin/true\n'"$1"$'\nqueue'; }
