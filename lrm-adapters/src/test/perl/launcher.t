#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The launcher ends as the job did, for the LRM's own record; and its record has the truth.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::SpoolFile       ();
use Jobgate::Starter::Launch ();
use Jobgate::Wire            ();

my $TAG = '01a1fa37-2a75-7000-8000-000000000001';

# (wait status of the launcher, the record that it left) of a job that runs this line of shell, with these variables
sub run {
    my ($line, %environment) = @_;
    my $directory = tempdir(CLEANUP => 1);
    my $file = Jobgate::SpoolFile->new($directory, $TAG);
    $file->write(Jobgate::Wire::encode({ executable => '/bin/sh', arguments => [ '-c', $line ], job_type => 'SINGLE', directory => $directory }));
    local %ENV = (PATH => $ENV{PATH}, %environment);
    my $status = system $^X, "$FindBin::RealBin/../../main/perl/jobgate-job", $directory, $TAG, 'all';
    return ($status, $file->end_of);
}

subtest 'an exit code' => sub {
    for my $code (0, 3, 99, 100, 127, 255) {
        my ($status, $end) = run("exit $code");
        is $status, $code << 8, "$code: the launcher's";
        is_deeply [ @$end{qw(cause exit)} ], [ 'EXITED', $code ], "$code: the record's";
    }
};

subtest 'a signal' => sub {
    for my $signal (6, 9, 15) {
        my ($status, $end) = run("kill -$signal \$\$");
        is $status & 127, $signal, "$signal: the launcher's";
        is_deeply [ @$end{qw(cause signal)} ], [ 'SIGNALLED', $signal ], "$signal: the record's";
    }
};

subtest 'exit codes by which Grid Engine would queue or hold the job again stay in the record' => sub {
    for my $code (99, 100) {
        my ($status, $end) = run("exit $code", SGE_ROOT => '/sge');
        is $status, 1 << 8, "$code: the launcher's";
        is $end->{exit}, $code, "$code: the record's";
    }
    is((run('exit 98', SGE_ROOT => '/sge'))[0], 98 << 8, 'all others are its own');
};

subtest 'a job of type mpi is started by the launcher that the site names, and not at all without one' => sub {
    my $directory = tempdir(CLEANUP => 1);
    my $mpiexec = "$directory/my-mpiexec";
    open my $script, '>', $mpiexec or die $!;
    print {$script} "#!/bin/sh\nprintf '%s\\n' \"\$*\" > said\nexit 6\n";
    close $script;
    chmod 0755, $mpiexec;
    my $spec = { executable => '/no/such', arguments => ['a b'], job_type => 'MPI', count => 3, directory => $directory };
    my $of = sub {
        my ($launcher) = @_;
        my $file = Jobgate::SpoolFile->new($directory, $TAG);
        $file->write(Jobgate::Wire::encode($spec));
        local $ENV{JOBGATE_MPIEXEC} = $launcher;
        delete $ENV{JOBGATE_MPIEXEC} unless defined $launcher;
        system $^X, "$FindBin::RealBin/../../main/perl/jobgate-job", $directory, $TAG, 'all';
        return $file->end_of;
    };
    is $of->($mpiexec)->{exit}, 6, 'its end';
    open my $said, '<', "$directory/said" or die $!;
    is scalar <$said>, "-n 3 /no/such a b\n", 'its arguments';
    is $of->('/no/such/mpiexec')->{cause}, 'NOT_STARTED', 'one that is not there';
  SKIP: {
        skip 'an MPI launcher is installed', 1 if defined Jobgate::Starter::Launch::mpi_launcher();
        like $of->(undef)->{why}[2], qr/neither mpiexec nor mpirun/, 'none: the program is not run as its own launcher';
    }
};

# Each of these costs every job a millisecond or more on its node, and comes back with one careless use.
subtest 'a plain job loads nothing that it does not need' => sub {
    my $directory = tempdir(CLEANUP => 1);
    Jobgate::SpoolFile->new($directory, $TAG)->write(Jobgate::Wire::encode({ executable => '/bin/true', directory => $directory, max_wall_time => 60 }));
    local $ENV{PERL5OPT} = "-I$directory -Mloaded";
    open my $module, '>', "$directory/loaded.pm" or die $!;
    print {$module} qq(END { open my \$out, '>>', '$directory/loaded'; print {\$out} map { "\$_\n" } keys %INC }\n1;\n);
    close $module;
    is system($^X, "$FindBin::RealBin/../../main/perl/jobgate-job", $directory, $TAG, 'all'), 0, 'it ran';
    open my $list, '<', "$directory/loaded" or die $!;
    my %loaded = map { chomp; $_ => 1 } <$list>;
    ok $loaded{'Jobgate/Launcher.pm'}, 'what is loaded was told';
    is_deeply [ sort grep { !m{\AJobgate/(?:JobFile|Launcher|Starter/Launch|System|Wire)\.pm\z} } keys %loaded ],
        [qw(loaded.pm strict.pm warnings.pm warnings/register.pm)], 'these only';
};

done_testing;
