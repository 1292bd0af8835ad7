# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Run;

# What jobgate-blah-job does. A plan is { work (a directory that is the job's alone), why (a file, for a sentence where files could not be brought or taken),
# program, arguments, inputs ([ path, name in the directory, whether it is the program ]), outputs ([ name in the directory, path ]), new (whether the files
# stdout and stderr were not there when the job was submitted) }.

use strict;
use warnings;

use File::Path ();
use POSIX      ();
use Jobgate::JobFile  ();
use Jobgate::Launcher ();

my @PASSED_ON = qw(HUP INT QUIT TERM USR1 USR2 XCPU);

# Does not return.
sub run {
    my ($plan) = @_;
    umask 022;
    # these files were made for the account alone, and HTCondor's jobs leave what others may read; one that was there before stays as closed as it was
    my %file = (stdout => \*STDOUT, stderr => \*STDERR);
    for my $name (keys %file) { chmod 0644, $file{$name} if ($plan->{new} // {})->{$name} && -f $file{$name} && -o _ }
    File::Path::remove_tree($plan->{work}) if -e $plan->{work};
    _end_at_term($plan);
    _trying($plan, sub { mkdir $plan->{work}, 0700 or die "The job's directory $plan->{work} cannot be made: $!.\n"; chdir $plan->{work} or die "The job's directory $plan->{work} cannot be entered: $!.\n" });
    _trying($plan, sub { _bring($_) for @{ $plan->{inputs} } });
    my $status = _run_program($plan);
    _trying($plan, sub { _take($_, $status) for @{ $plan->{outputs} } });
    _clean($plan);
    Jobgate::Launcher::end_as({ signal => $status & 127 }) if $status & 127;
    exit $status >> 8;
}

# A sentence that the code dies with is left for the owner, and the job is over.
sub _trying {
    my ($plan, $code) = @_;
    return if eval { $code->(); 1 };
    Jobgate::JobFile::write_whole($plan->{why}, $@ =~ s/\s+\z//r);
    print STDERR $@;
    _clean($plan);
    exit Jobgate::JobFile::NOT_STARTED();
}

# An LRM that cancels a job signals its processes one after another, so that our own signal may come when the program has ended by its own: it keeps nothing
# from being deleted.
sub _clean {
    my ($plan) = @_;
    local @SIG{@PASSED_ON} = ('IGNORE') x @PASSED_ON;
    chdir '/';
    File::Path::remove_tree($plan->{work});
    return;
}

# While no program runs that the signal would go on to.
sub _end_at_term {
    my ($plan) = @_;
    $SIG{TERM} = sub {
        _clean($plan);
        # perl keeps it blocked in here, and we would end by an exit code
        POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new(POSIX::SIGTERM()));
        Jobgate::Launcher::end_as({ signal => POSIX::SIGTERM() });
    };
    return;
}

sub _bring {
    my ($input) = @_;
    my ($from, $name, $is_program) = @$input;
    if ($name eq '.') { _copy("$from/$_", $_) for _entries($from) }
    else              { _copy($from, $name) }
    if ($is_program) { chmod 0755, $name or die "The program $name cannot be made executable: $!.\n" }
    return;
}

# An output that a program which failed did not write is no further fault.
sub _take {
    my ($output, $status) = @_;
    my ($name, $to) = @$output;
    if (!-e $name && !-l $name) {
        return if $status;
        die "The job has ended well and has not written its output file $name.\n";
    }
    my $part = "$to.part-$$";
    eval { _copy($name, $part); 1 } or do { my $why = $@; File::Path::remove_tree($part); die $why };
    if (-d $part && -d $to) { _copy("$part/$_", "$to/$_") for _entries($part); File::Path::remove_tree($part) }
    else                    { rename $part, $to or do { my $why = "$!"; File::Path::remove_tree($part); die "The output file $name cannot be written to $to: $why.\n" } }
    return;
}

sub _entries {
    my ($directory) = @_;
    opendir my $open, $directory or die "The directory $directory cannot be read: $!.\n";
    return grep { $_ ne '.' && $_ ne '..' } readdir $open;
}

# A file or a tree; what is neither is left out.
sub _copy {
    my ($from, $to) = @_;
    my @stat = stat $from or die "The file $from cannot be read: $!.\n";
    if (-d _) {
        -d $to or mkdir $to, 0755 or die "The directory $to cannot be made: $!.\n";
        _copy("$from/$_", "$to/$_") for grep { -e "$from/$_" } _entries($from);
        return;
    }
    return unless -f _;
    open my $in, '<:raw', $from or die "The file $from cannot be read: $!.\n";
    open my $out, '>:raw', $to or die "The file $to cannot be written: $!.\n";
    while (my $read = sysread $in, my $bytes, 1024 * 1024) {
        my $done = 0;
        while ($done < $read) { $done += syswrite($out, $bytes, $read - $done, $done) // die "The file $to cannot be written: $!.\n" }
    }
    close $out or die "The file $to cannot be written: $!.\n";
    chmod $stat[2] & 0777, $to;
    return;
}

# The wait status. Signals go on to the program; what it left running is the LRM's to end.
sub _run_program {
    my ($plan) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        my @words = ($plan->{program}, @{ $plan->{arguments} });
        no warnings 'exec';
        exec { $words[0] } @words;
        my $why = "$!";
        Jobgate::JobFile::write_whole($plan->{why}, "The executable $plan->{program} could not be run: $why.");
        POSIX::_exit(Jobgate::JobFile::NOT_STARTED());
    }
    for my $name (@PASSED_ON) { $SIG{$name} = sub { kill $name => $pid } }
    while (waitpid($pid, 0) < 0) { last unless $!{EINTR} }
    my $status = $?;
    $SIG{$_} = 'IGNORE' for grep { $_ ne 'TERM' } @PASSED_ON;
    _end_at_term($plan);
    if (($status >> 8) == Jobgate::JobFile::NOT_STARTED() && -e $plan->{why}) { _clean($plan); exit Jobgate::JobFile::NOT_STARTED() }
    return $status;
}

1;
