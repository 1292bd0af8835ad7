// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

/** The text of {@code -help}. */
final class Usage {
    static final String TEXT = """
            globusrun-ws -submit   [-F CONTACT] [-Ft TYPE] [OPTION ...] {-f FILE | -c PROGRAM [ARGUMENT ...]}
            globusrun-ws -status   -j EPRFILE
            globusrun-ws -monitor  -j EPRFILE [-n]
            globusrun-ws -kill     -j EPRFILE
            globusrun-ws -release  -j EPRFILE
            globusrun-ws -validate -f FILE
            globusrun-ws -help | -version

            Where to submit
              -F,  -factory CONTACT           [https://]HOST[:PORT][/SERVICE]; default localhost:8443
              -Ft, -factory-type TYPE         the LRM, e.g. Fork (default), Condor, PBS; Multi for a multiJob
              -Ff, -factory-epr-file FILE     the factory's endpoint reference

            What to submit
              -f, -job-description-file FILE  XML, root job or multiJob
              -c, -job-command [--] PROGRAM ARGUMENT ...   must come last
              -I, -submission-id UUID         the same id again gives the same job and starts nothing
              -If, -submission-id-file FILE   the id from a file
              -Io, -submission-id-output-file FILE
              -term, -termination TIME        +HH:MM (default +24:00) or "mm/dd/yyyy HH:MM" in GMT

            What to do with the job
              -b, -batch                      do not wait; print the job's endpoint reference
              -o, -job-epr-output-file FILE   write it there
              -j, -job-epr-file FILE          the job meant
              -n, -no-cleanup                 an interrupt does not cancel the job

            General
              -q, -quiet                      only errors
              -dbg, -debug                    show the SOAP messages on stderr
              -T, -http-timeout MILLISECONDS  default 120000
              -host | -self | -subject DN     whom to expect at the other end; default: the host named

            The exit status is the job's own; of the command itself:
              255 service not reached   254 wrong usage or description   253 no credential
              252 service refused       251 job failed                   250 contact lost, job may still run""";

    private Usage() {}
}
