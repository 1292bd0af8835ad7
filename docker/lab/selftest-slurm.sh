# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# Slurm's part of selftest.

SACCT_FIELDS=jobidraw,jobid,jobname,user,account,partition,state,exitcode,derivedexitcode,reason,submit,eligible,start,end,elapsedraw,timelimitraw,ncpus,nodelist,comment,workdir
SQUEUE_FORMAT='%i|%A|%j|%u|%P|%T|%r|%V|%S|%e|%l|%M|%C|%N|%k|%Z'

submit_job() { # CASE
    local more=() out=$1.out
    case $1 in
        walltime) more=(--time=1) ;;
        held) more=(--hold) ;;
        pending) more=(--begin=now+1hour) ;;
        broken) out=/no/such/directory/out ;;
    esac
    as_account jobgate-a sbatch --parsable --job-name="$(tag_of "$1")" --comment="$1 of selftest" --output="$out" "${more[@]}" --wrap="${COMMAND[$1]}"
}

cancel_job() { as_account jobgate-a scancel "$1"; }
suspend_job() { scontrol suspend "$1"; } # for root and Slurm's own account only
state_in_queue() { squeue -h -j "$1" -o %T; }
is_running() { [ "$(state_in_queue "$1")" = RUNNING ]; }
record_of() { sacct -n -X -P -j "$1" -o "$2"; }

# The record is complete (with user and name) up to 5 s after the job has ended.
has_ended() { [ "$(record_of "$1" user)" = jobgate-a ] && case "$(record_of "$1" state)" in PENDING | RUNNING | SUSPENDED | COMPLETING | '') return 1 ;; esac; }

ending_of() {
    local state code
    state=$(record_of "$1" state)
    code=$(record_of "$1" exitcode) # exit code:signal
    case $state in
        COMPLETED) echo "exit 0" ;;
        FAILED) if [ "${code#*:}" = 0 ]; then echo "exit ${code%:*}"; else echo "signal ${code#*:}"; fi ;;
        CANCELLED*) echo cancelled ;;
        TIMEOUT) echo "over wall time" ;;
        *) echo "unknown: $state $code" ;;
    esac
}

our_jobs() { local IFS=,; echo "${ID[*]}"; }

take_live_samples() {
    wait_until "$RUNNING_SECONDS_MAX" test -z "$(state_in_queue "${ID[broken]}")" || true
    capture live.squeue.txt squeue -a
    capture live.squeue-format.txt squeue -h -a -o "$SQUEUE_FORMAT"
    capture live.squeue-all-states.txt squeue -h -a -t all -j "$(our_jobs)" -o "$SQUEUE_FORMAT"
    capture live.sacct.txt sacct -X -P -j "$(our_jobs)" -o "$SACCT_FIELDS"
    local case
    for case in $LIVE_CASES; do capture "$case.scontrol.txt" scontrol -o show job "${ID[$case]}"; done
    capture pool.sinfo.txt sinfo
    capture pool.sinfo-format.txt sinfo -h -o '%P|%a|%l|%D|%T|%C|%m|%z|%N'
    capture pool.scontrol-partition.txt scontrol -o show partition
    capture pool.scontrol-node.txt scontrol -o show node
    capture pool.version.txt sinfo --version
}

take_ended_samples() {
    local case
    for case in $ENDING_CASES $LIVE_CASES; do
        capture "$case.sacct.txt" sacct -P -j "${ID[$case]}" -o "$SACCT_FIELDS,totalcpu,maxrss"
        capture "$case.scontrol-ended.txt" scontrol -o show job "${ID[$case]}"
    done
    capture ended.sacct.txt sacct -n -X -P -S now-1hour -E now -j "$(our_jobs)" -o "$SACCT_FIELDS"
    capture ended.sacct-by-name.txt sacct -n -X -P -S now-1hour -E now --name="$(tag_of exit3)" -o "$SACCT_FIELDS"
    capture ended.sacct-json.json sacct --json -S now-1hour -j "${ID[exit3]}"
    capture ended.jobcomp.txt grep -E "JobId=(${ID[ok]}|${ID[exit3]}|${ID[signal]}|${ID[cancelled]}|${ID[walltime]}) " "$LAB/slurm/log/jobcomp.log"
    capture none.squeue.txt squeue -h -o "$SQUEUE_FORMAT" -n nobody
    capture none.sacct.txt sacct -n -X -P -S now-1hour -E now --name=nobody -o "$SACCT_FIELDS"
}

take_refusals() {
    capture refused.squeue-unknown.txt squeue -h -j 999999
    capture refused.scontrol-unknown.txt scontrol -o show job 999999
    capture refused.sacct-unknown.txt sacct -n -X -P -j 999999
    capture refused.scancel-unknown.txt scancel 999999
    capture refused.scancel-ended.txt as_account jobgate-a scancel "${ID[ok]}"
    capture refused.scancel-of-another.txt as_account jobgate-b scancel "$(as_account jobgate-a sbatch --parsable --hold --output=/dev/null --wrap=true)"
    capture refused.sbatch-bad-partition.txt as_account jobgate-a sbatch --parsable -p nowhere --wrap=true
    capture refused.sbatch-over-limit.txt as_account jobgate-a sbatch --parsable -p short -t 60 --output=/dev/null --wrap=true
    capture refused.sbatch-too-many-nodes.txt as_account jobgate-a sbatch --parsable -N 2 --output=/dev/null --wrap=true
    capture refused.sbatch-too-many-cpus.txt as_account jobgate-a sbatch --parsable -n 1 -c 1000 --output=/dev/null --wrap=true
    capture refused.sbatch-bad-option.txt as_account jobgate-a sbatch --parsable --nosuch --wrap=true
    capture refused.sbatch-bad-account.txt as_account jobgate-a sbatch --parsable -A nobody --output=/dev/null --wrap=true
    capture refused.squeue-no-controller.txt env SLURM_CONF="$OUT/none.conf" squeue -h
    capture impossible.squeue.txt squeue -h -u jobgate-a -o "$SQUEUE_FORMAT"
    sed "s/^SlurmctldPort=.*/SlurmctldPort=1/; s/^MessageTimeout=.*/MessageTimeout=2/" "$SLURM_CONF" >"$OUT/away.conf"
    capture refused.squeue-controller-away.txt env SLURM_CONF="$OUT/away.conf" squeue -h
    capture refused.sbatch-controller-away.txt as_account jobgate-a env SLURM_CONF="$OUT/away.conf" sbatch --parsable --wrap=true
    rm -f "$OUT/away.conf"
    scancel -u jobgate-a
}
