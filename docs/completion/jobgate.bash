# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion for bash: . docs/completion/jobgate.bash
# Made from the option tables by ManualTest; changes here are lost.

# sets words (to complete), files (options before a file) and values (options before something else)
_jobgate_tables() {
    words= files= values=
    case $1 in
        'globusrun-ws')
            words='-submit -validate -monitor -status -kill -release -help --help -usage -version -versions --version -F -factory -Ft -factory-type -Ff -factory-epr-file -f -job-description-file -c -job-command -I -submission-id -If -submission-id-file -Io -submission-id-output-file -term -termination -b -batch -o -job-epr-output-file -j -job-epr-file -n -no-cleanup -q -quiet -dbg -debug -T -http-timeout -protocol -host -host-authz -self -self-authz -subject -subject-authz -p -private -s -streaming -so -stdout-file -streaming-out -se -stderr-file -streaming-err -sf -stream-files -local-files -compress -ipv6 -allow-ipv6 -passive -nodcau -J -job-delegate -S -staging-delegate -Jf -job-credential-file -Sf -staging-credential-file -Tf -transfer-credential-file'
            files='-Ff -factory-epr-file -f -job-description-file -If -submission-id-file -Io -submission-id-output-file -o -job-epr-output-file -j -job-epr-file -so -stdout-file -streaming-out -se -stderr-file -streaming-err -Jf -job-credential-file -Sf -staging-credential-file -Tf -transfer-credential-file'
            values='-F -factory -Ft -factory-type -I -submission-id -term -termination -T -http-timeout -protocol -subject -subject-authz -sf -stream-files -compress'
            ;;
        'wsrf-get-property')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version'
            files='-e --eprFile -j'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol'
            ;;
        'wsrf-get-properties')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version'
            files='-e --eprFile -j'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol'
            ;;
        'wsrf-query')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version'
            files='-e --eprFile -j'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol'
            ;;
        'wsrf-destroy')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version'
            files='-e --eprFile -j'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol'
            ;;
        'wsrf-set-termination-time')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version'
            files='-e --eprFile -j'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol'
            ;;
        'wsn-subscribe')
            words='-e --eprFile -j -s --service -k --key -z --authorization -m --securityMech -p --protection -v --value -T --timeout --protocol -d --debug -h --help -help -V --version -version -b --subEpr -c --consumerHost -P --consumerPort -n --count -t --time -x --xml'
            files='-e --eprFile -j -b --subEpr'
            values='-s --service -k --key -z --authorization -m --securityMech -p --protection -T --timeout --protocol -c --consumerHost -P --consumerPort -n --count -t --time'
            ;;
        'globus-job-run-ws')
            words='-F -factory -Ft -factory-type -np -count -host-count -type -job-type -m -maxtime -q -queue -p -project -d -dir -directory -env -stdin -stdout -stderr -term -termination -dumpjdd -dumprsl -o -job-epr-output-file -verbose -l -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files='-stdin -stdout -stderr -o -job-epr-output-file'
            values='-F -factory -Ft -factory-type -np -count -host-count -type -job-type -m -maxtime -q -queue -p -project -d -dir -directory -env -term -termination -T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-job-submit-ws')
            words='-F -factory -Ft -factory-type -np -count -host-count -type -job-type -m -maxtime -q -queue -p -project -d -dir -directory -env -stdin -stdout -stderr -term -termination -dumpjdd -dumprsl -o -job-epr-output-file -verbose -l -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files='-stdin -stdout -stderr -o -job-epr-output-file'
            values='-F -factory -Ft -factory-type -np -count -host-count -type -job-type -m -maxtime -q -queue -p -project -d -dir -directory -env -term -termination -T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-job-get-output-ws')
            words='-out -err -f -force -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files=''
            values='-T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-job-clean-ws')
            words='-out -err -f -force -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files=''
            values='-T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-job-submit-many-ws')
            words='-F -factory -Ft -factory-type -f -job-description-file -n -count -v -variables -I -submission-id -term -termination -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files='-f -job-description-file -v -variables'
            values='-F -factory -Ft -factory-type -n -count -I -submission-id -term -termination -T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-job-list-ws')
            words='-F -factory -state -lrm -since -x -explain -T -http-timeout -self -self-authz -subject -subject-authz -protocol -dbg -debug -help --help -usage -version -versions --version'
            files=''
            values='-F -factory -state -lrm -since -T -http-timeout -subject -subject-authz -protocol'
            ;;
        'globus-credential-delegate')
            words='-h --host -p --port -s --service -e --eprFile -c --credential -token --token -l -y --lifetime -d --delegation -a -z --authorization -m --securityMech -n --protection -dbg --debug -help --help -V -version --version'
            files='-e --eprFile -c --credential -token --token'
            values='-h --host -p --port -s --service -l -y --lifetime -d --delegation -a -z --authorization -m --securityMech -n --protection'
            ;;
        'globus-credential-refresh')
            words='-h --host -p --port -s --service -e --eprFile -c --credential -token --token -l -y --lifetime -d --delegation -a -z --authorization -m --securityMech -n --protection -dbg --debug -help --help -V -version --version'
            files='-e --eprFile -c --credential -token --token'
            values='-h --host -p --port -s --service -l -y --lifetime -d --delegation -a -z --authorization -m --securityMech -n --protection'
            ;;
        'rft')
            words='-h -host -r -port -l -lifetime -f -file -o -full -checksum -b -batch -q -quiet -z -m -p -protocol -d -debug -help --help -version --version'
            files='-f -file -o'
            values='-h -host -r -port -l -lifetime -checksum -z -m -p -protocol'
            ;;
        'rft-delete')
            words='-h -host -r -port -l -lifetime -f -file -o -full -checksum -b -batch -q -quiet -z -m -p -protocol -d -debug -help --help -version --version'
            files='-f -file -o'
            values='-h -host -r -port -l -lifetime -checksum -z -m -p -protocol'
            ;;
        'globus-crft')
            words='-submit -monitor -done -status -cancel -destroy -delete -e -epr -h -host -r -port -l -lifetime -f -file -o -full -checksum -b -batch -q -quiet -z -m -p -protocol -d -debug -help --help -version --version'
            files='-e -epr -f -file -o'
            values='-h -host -r -port -l -lifetime -checksum -z -m -p -protocol'
            ;;
        'bes')
            words='-F -factory -f -job-description-file -o -job-epr-output-file -j -job-epr-file -w -wait --wait -I -submission-id -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-f -job-description-file -o -job-epr-output-file -j -job-epr-file'
            values='-F -factory -I -submission-id -T -http-timeout -subject -subject-authz'
            ;;
        'glite-ce-job-submit')
            words='-r --resource -a --autm-delegation -D --delegationId --delegationid -L --leaseId -o --output -F --fake -V --vo -s --ftp-streams -J --jdl-file -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-o --output -J --jdl-file -p --proxyfile -c --conf -l --logfile'
            values='-r --resource -D --delegationId --delegationid -L --leaseId -V --vo -s --ftp-streams -t --timeout'
            ;;
        'glite-ce-job-status')
            words='-e --endpoint -i --input -a --all -s --status -f --fromDate --from -t --toDate --to -L --level -j --jobid --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -s --status -f --fromDate --from -t --toDate --to -L --level -j --jobid --timeout'
            ;;
        'glite-ce-job-list')
            words='-o --output -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-o --output -p --proxyfile -c --conf -l --logfile'
            values='-t --timeout'
            ;;
        'glite-ce-job-cancel')
            words='-e --endpoint -i --input -a --all -j --jobid -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -j --jobid -t --timeout'
            ;;
        'glite-ce-job-suspend')
            words='-e --endpoint -i --input -a --all -j --jobid -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -j --jobid -t --timeout'
            ;;
        'glite-ce-job-resume')
            words='-e --endpoint -i --input -a --all -j --jobid -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -j --jobid -t --timeout'
            ;;
        'glite-ce-job-purge')
            words='-e --endpoint -i --input -a --all -j --jobid -N --noint -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -j --jobid -t --timeout'
            ;;
        'glite-ce-job-output')
            words='-i --input -D --dir -s --num-streams -N --noint -T --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-i --input -p --proxyfile -c --conf -l --logfile'
            values='-D --dir -s --num-streams -T --timeout'
            ;;
        'glite-ce-job-lease')
            words='-e --endpoint -T --leaseTime -D --leaseId -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -T --leaseTime -D --leaseId -t --timeout'
            ;;
        'glite-ce-delegate-proxy')
            words='-e --endpoint -D --delegation-id --delegationId -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -D --delegation-id --delegationId -t --timeout'
            ;;
        'glite-ce-proxy-renew')
            words='-e --endpoint -D --delegation-id --delegationId -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -D --delegation-id --delegationId -t --timeout'
            ;;
        'glite-ce-service-info')
            words='-L --level -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-L --level -t --timeout'
            ;;
        'glite-ce-enable-submission')
            words='-t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-t --timeout'
            ;;
        'glite-ce-disable-submission')
            words='-t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-t --timeout'
            ;;
        'glite-ce-allowed-submission')
            words='-t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-t --timeout'
            ;;
        'glite-ce-event-query')
            words='-e --endpoint -s --status -N --nevents -E --event-id -t --timeout -p --proxyfile -c --conf -l --logfile -n --nomsg -A --donot-verify-ac-sign -d --debug -h --help -v --version'
            files='-p --proxyfile -c --conf -l --logfile'
            values='-e --endpoint -s --status -N --nevents -E --event-id -t --timeout'
            ;;
        'ice')
            words='-q --queue -r --resource -p --proxyfile -m --myproxy -o --output -a --all -s --status -i --input -n --threads -b --bulk --poll --lease --renew-before --timeout --keep --until-done -h --help -v --version'
            files='-p --proxyfile -o --output -i --input'
            values='-q --queue -r --resource -m --myproxy -s --status -n --threads -b --bulk --poll --lease --renew-before --timeout --keep'
            ;;
        'srm-ping')
            words='-s -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-ls')
            words='-s -fulldetailed -l -recursive -r -numlevels -offset -count -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -numlevels -offset -count -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-copy')
            words='-s -t -overwrite -recursive -r -mkdir -protocolslist -spacetoken -lifetime -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -t -protocolslist -spacetoken -lifetime -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-get')
            words='-s -t -overwrite -recursive -r -mkdir -protocolslist -spacetoken -lifetime -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -t -protocolslist -spacetoken -lifetime -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-put')
            words='-s -t -overwrite -recursive -r -mkdir -protocolslist -spacetoken -lifetime -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -t -protocolslist -spacetoken -lifetime -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-mkdir')
            words='-s -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-rmdir')
            words='-s -recursive -r -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-rm')
            words='-s -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-mv')
            words='-s -t -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -t -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-transferprotocols')
            words='-s -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-permission-check')
            words='-s -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-s -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-abort-request')
            words='-requesttoken -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-requesttoken -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-sp-tokens')
            words='-spacedesc -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-spacedesc -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-sp-info')
            words='-spacetoken -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-spacetoken -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-sp-reserve')
            words='-size -lifetime -spacedesc -spacetoken -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-size -lifetime -spacedesc -spacetoken -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'srm-sp-release')
            words='-spacetoken -serviceurl -proxyfile -q -quiet -T -http-timeout -self -self-authz -subject -subject-authz -dbg -debug -help --help -usage -version -versions --version'
            files='-proxyfile'
            values='-spacetoken -serviceurl -T -http-timeout -subject -subject-authz'
            ;;
        'jobgate')
            words='array audit authz backup ca cancel config doctor drain explain get hold job logs lrm ls pool prepare proxy put release restore resume rm start status stop submit trace usage wait -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate audit')
            words='acts export job list user verify -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate audit acts')
            words='-h --help -V --version --config --json --since'
            files='--config'
            values='--since'
            ;;
        'jobgate audit export')
            words='-h --help -V --version --config --json --since'
            files='--config'
            values='--since'
            ;;
        'jobgate audit job')
            words='ID -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate audit list')
            words='-h --help -V --version --config --json --subject --since'
            files='--config'
            values='--subject --since'
            ;;
        'jobgate audit user')
            words='DN -h --help -V --version --config --json --since'
            files='--config'
            values='--since'
            ;;
        'jobgate audit verify')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate authz')
            words='explain -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate authz explain')
            words='-h --help -V --version --config --json --cert --token --subject --action --fqan --scope'
            files='--config --cert --token'
            values='--subject --action --fqan --scope'
            ;;
        'jobgate backup')
            words='DIRECTORY --config --json --with-key -h --help -V --version'
            files='--config'
            values=''
            ;;
        'jobgate ca')
            words='host init proxy user -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate ca host')
            words='NAME -h --help -V --version --dir --key --days --out'
            files=''
            values='--dir --key --days --out'
            ;;
        'jobgate ca init')
            words='-h --help -V --version --dir --key --subject --days'
            files=''
            values='--dir --key --subject --days'
            ;;
        'jobgate ca proxy')
            words='-h --help -V --version --cert --privkey --out --hours --limited --depth --key'
            files=''
            values='--cert --privkey --out --hours --depth --key'
            ;;
        'jobgate ca user')
            words='NAME -h --help -V --version --dir --key --days --out'
            files=''
            values='--dir --key --days --out'
            ;;
        'jobgate config')
            words='check -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate config check')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate doctor')
            words='-h --help -V --version --config --json --sudoers --install'
            files='--config'
            values='--sudoers --install'
            ;;
        'jobgate drain')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate job')
            words='cancel explain list restart resume show suspend trace -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate job cancel')
            words='JOB -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate job explain')
            words='JOB -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate job list')
            words='-h --help -V --version --config --json --subject --account --state --finished --after --limit'
            files='--config'
            values='--subject --account --state --after --limit'
            ;;
        'jobgate job show')
            words='JOB -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate job trace')
            words='-h --help -V --version --config --json --lrm'
            files='--config'
            values='--lrm'
            ;;
        'jobgate lrm')
            words='list set show -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate lrm list')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate lrm set')
            words='LRM NAME=VALUE -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate lrm show')
            words='LRM -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate pool')
            words='list set -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate pool list')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate pool set')
            words='POOL WORKERS -h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate prepare')
            words='--client -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate proxy')
            words='destroy get info init renew -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate proxy destroy')
            words='FILE -h --help -V --version'
            files=''
            values=''
            ;;
        'jobgate proxy get')
            words='-h --help -V --version --hours --key --bits --out --passphrase-stdin --server --server-subject --user --credential'
            files='--out'
            values='--hours --key --bits --server --server-subject --user --credential'
            ;;
        'jobgate proxy info')
            words='-h --help -V --version --file --print --exists --valid --bits'
            files='--file'
            values='--print --valid --bits'
            ;;
        'jobgate proxy init')
            words='-h --help -V --version --hours --key --bits --out --passphrase-stdin --cert --privkey --limited --independent --depth'
            files='--out --cert --privkey'
            values='--hours --key --bits --depth'
            ;;
        'jobgate proxy renew')
            words='-h --help -V --version --hours --key --bits --out --passphrase-stdin --server --server-subject --user --credential --file --cert --privkey'
            files='--out --file --cert --privkey'
            values='--hours --key --bits --server --server-subject --user --credential'
            ;;
        'jobgate restore')
            words='DIRECTORY --config --json --report -h --help -V --version'
            files='--config'
            values=''
            ;;
        'jobgate resume')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate start')
            words='-h --help -V --version --config --json --foreground --timeout'
            files='--config'
            values='--timeout'
            ;;
        'jobgate status')
            words='-h --help -V --version --config --json'
            files='--config'
            values=''
            ;;
        'jobgate stop')
            words='-h --help -V --version --config --json --timeout'
            files='--config'
            values='--timeout'
            ;;
        'jobgate usage')
            words='records summary --config --json --by --since --until --subject --not-charged --format -h --help -V --version'
            files='--config'
            values='--by --since --until --subject --not-charged --format'
            ;;
        'jobgate usage records')
            words='-h --help -V --version --config --json --site --submit-host --benchmark --not-charged --withhold-subjects --format --since --until --directory'
            files='--config'
            values='--site --submit-host --benchmark --not-charged --format --since --until --directory'
            ;;
        'jobgate usage summary')
            words='-h --help -V --version --config --json --site --submit-host --benchmark --not-charged --withhold-subjects --month --directory'
            files='--config'
            values='--site --submit-host --benchmark --not-charged --month --directory'
            ;;
        'jobgate submit')
            words='-c --lrm --account --queue --directory --stdin --stdout --stderr --array --max-running --key -w --wait --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--lrm --account --queue --directory --stdin --stdout --stderr --array --max-running --key --url -F --timeout --server-subject'
            ;;
        'jobgate ls')
            words='--state --live --limit --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--state --limit --url -F --timeout --server-subject'
            ;;
        'jobgate wait')
            words='--for --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--for --url -F --timeout --server-subject'
            ;;
        'jobgate logs')
            words='-f --follow --stderr --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate explain')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate cancel')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate hold')
            words='--at --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--at --url -F --timeout --server-subject'
            ;;
        'jobgate release')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate rm')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate get')
            words='--tree --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--tree --url -F --timeout --server-subject'
            ;;
        'jobgate put')
            words='--tree --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--tree --url -F --timeout --server-subject'
            ;;
        'jobgate array')
            words='--elements --state --limit --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--elements --state --limit --url -F --timeout --server-subject'
            ;;
        'jobgate trace')
            words='--lrm --for --url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--lrm --for --url -F --timeout --server-subject'
            ;;
        'jobgate job suspend')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate job resume')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
        'jobgate job restart')
            words='--url -F --json -q --quiet --timeout --server-subject --debug -h --help'
            files=''
            values='--url -F --timeout --server-subject'
            ;;
    esac
}

_jobgate_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words files values table i
    table=${COMP_WORDS[0]##*/}
    if [[ $table == jobgate ]]; then
        for ((i = 1; i < COMP_CWORD; i++)); do
            if [[ ${COMP_WORDS[i]} == [a-z]* ]]; then
                words=
                _jobgate_tables "$table ${COMP_WORDS[i]}"
                if [[ -n $words ]]; then table="$table ${COMP_WORDS[i]}"; fi
            fi
        done
    fi
    _jobgate_tables "$table"
    if [[ " $values " == *" $before "* ]]; then
        COMPREPLY=()
    elif [[ " $files " != *" $before "* && ( $current == -* || $words == [a-z]* ) ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -o filenames -F _jobgate_complete \
    globusrun-ws \
    wsrf-get-property \
    wsrf-get-properties \
    wsrf-query \
    wsrf-destroy \
    wsrf-set-termination-time \
    wsn-subscribe \
    globus-job-run-ws \
    globus-job-submit-ws \
    globus-job-get-output-ws \
    globus-job-clean-ws \
    globus-job-submit-many-ws \
    globus-job-list-ws \
    globus-credential-delegate \
    globus-credential-refresh \
    rft \
    rft-delete \
    globus-crft \
    bes \
    glite-ce-job-submit \
    glite-ce-job-status \
    glite-ce-job-list \
    glite-ce-job-cancel \
    glite-ce-job-suspend \
    glite-ce-job-resume \
    glite-ce-job-purge \
    glite-ce-job-output \
    glite-ce-job-lease \
    glite-ce-delegate-proxy \
    glite-ce-proxy-renew \
    glite-ce-service-info \
    glite-ce-enable-submission \
    glite-ce-disable-submission \
    glite-ce-allowed-submission \
    glite-ce-event-query \
    ice \
    srm-ping \
    srm-ls \
    srm-copy \
    srm-get \
    srm-put \
    srm-mkdir \
    srm-rmdir \
    srm-rm \
    srm-mv \
    srm-transferprotocols \
    srm-permission-check \
    srm-abort-request \
    srm-sp-tokens \
    srm-sp-info \
    srm-sp-reserve \
    srm-sp-release \
    jobgate
