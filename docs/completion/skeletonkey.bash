# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion for bash: . docs/completion/skeletonkey.bash
# Made from the option tables by test_manual.py; changes here are lost.

_skeletonkey_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words values
    case ${COMP_WORDS[0]##*/} in
        chirp_control)
            words='start stop restart status export acl ticket --export --host --port --interface --lifetime -h --help -V --version'
            values='--host --port --interface --lifetime'
            ;;
        skeleton_key)
            words='-c --config-file -o --output --check --explain --bundle --describe --submit --lrm -q --queue -b --batch -h --help -V --version'
            values='--describe --submit --lrm -q --queue'
            ;;
    esac
    if [[ $before == --describe ]]; then mapfile -t COMPREPLY < <(compgen -W "jdd json jsdl" -- "$current")
    elif [[ " $values " == *" $before "* ]]; then COMPREPLY=()
    elif [[ $current == -* || ( $COMP_CWORD == 1 && $words == [a-z]* ) ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
}

complete -o filenames -F _skeletonkey_complete chirp_control skeleton_key
