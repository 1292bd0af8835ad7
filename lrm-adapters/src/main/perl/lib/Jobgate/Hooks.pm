# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Hooks;

# Scripts of the site that a shell reads before and after each job where the job runs, as the job's account, in its directory and with its environment, as
# CREAM's wrapper does with cp_1.sh and cp_3.sh. What the first one exports is in the job's environment; what either prints, and how it ends, changes
# nothing of the job. One that is not there, on this machine, is left out. Only the path of the script comes to the shell, as its argument.

use strict;
use warnings;

use Jobgate::Starter::Launch ();
use Jobgate::System          ();

sub MAX_ENVIRONMENT() { 4 << 20 }

# Has the first script read.
# spec: the job's description, to which the environment is added that it has from now on; run: code that runs code in a process of its own, and waits for
# its end
sub before {
    my ($spec, $run) = @_;
    my $script = _script($spec, 'hook_before') // return;
    open my $told, '+>', undef or return;
    $run->(sub { _become($spec, $script, $told) });
    seek $told, 0, 0 or return;
    binmode $told;
    my $count = read $told, my $text, MAX_ENVIRONMENT;
    return if !$count || $count == MAX_ENVIRONMENT;
    $spec->{hooked} = { map { /\A([^=]+)=(.*)\z/s ? ($1 => $2) : () } split /\0/, $text };
    return;
}

# Has the last script read.
sub after {
    my ($spec, $run) = @_;
    my $script = _script($spec, 'hook_after') // return;
    $run->(sub { _become($spec, $script) });
    return;
}

sub _script {
    my ($spec, $name) = @_;
    my $script = $spec->{$name};
    return defined $script && $script =~ m{\A/} && -f $script && -r _ ? $script : undef;
}

# Keeps the file open over exec, as this descriptor.
sub _keep_as {
    my ($target, $file) = @_;
    my $set_flags = 2;    # F_SETFD of Linux: Fcntl costs each start a millisecond
    return fileno $file == $target ? fcntl $file, $set_flags, 0 : Jobgate::System::dup_to(fileno $file, $target);
}

# Becomes the shell. With `told` the environment that it ends with is written there.
sub _become {
    my ($spec, $script, $told) = @_;
    my $directory = Jobgate::Starter::Launch::directory_of($spec);
    chdir $directory or chdir '/';
    open STDIN, '<', '/dev/null';
    if ($told) { _keep_as(3, $told) or return }
    my ($shell) = grep { -x } '/bin/bash', '/bin/sh';
    %ENV = Jobgate::Starter::Launch::environment_of($spec);
    exec {$shell} $shell, '-c', $told ? '. "$1"; exec /usr/bin/env -0 >&3' : '. "$1"', 'jobgate-hook', $script;
    return;
}

1;
