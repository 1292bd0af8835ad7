# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Plan;

# From the ClassAd of a submission to the description that an adapter reads, and to the plan of files that jobgate-blah-job follows.

use strict;
use warnings;

use Cwd ();
use FindBin ();
use Jobgate::Blah::Lines ();
use Jobgate::Wire        ();

# LONGEST_PLAN: Linux takes no longer word of a command
use constant { MAX_FILES => 10_000, LEAST_MEMORY_MIB => 64, LONGEST_PLAN => 131_071 };

# ad: by names in small letters; place: the directories of the job ({ work, why, proxy }: paths). Dies with a sentence for the job's owner.
sub of {
    my ($ad, $place) = @_;
    my $iwd = $ad->{iwd} // Cwd::getcwd();
    my $local = sub { $_[0] =~ m{\A/} ? $_[0] : "$iwd/$_[0]" };
    _refuse_unknown($ad);
    my ($program, $staged) = _program($ad, $local);
    my @inputs = _inputs($ad, $local);
    my %files = _files($ad, $local);
    my %plan = (work => $place->{work}, why => $place->{why}, program => $program, arguments => [ _arguments($ad) ], inputs => [ @$staged, @inputs ],
        outputs => [ _outputs($ad, $local) ], new => { map { $_ => -e ($files{$_} // '/dev/null') ? 0 : 1 } qw(stdout stderr) });
    my $encoded = Jobgate::Wire::encode(\%plan);
    die 'The arguments and the file names of the job have more than ' . LONGEST_PLAN . " bytes together: put arguments into a file, and pack files.\n" if length $encoded > LONGEST_PLAN;
    my %spec = (
        executable  => $^X,
        arguments   => [ "$FindBin::RealBin/jobgate-blah-job", $encoded ],
        environment => [ _environment($ad), defined $ad->{x509userproxy} ? [ X509_USER_PROXY => $place->{proxy} ] : () ],
        count => 1, job_type => 'SINGLE', directory => '/',
        %files, _asked($ad),
    );
    return \%spec;
}

# What would change where or how the job runs, and that no adapter knows.
sub _refuse_unknown {
    my ($ad) = @_;
    for my $name (qw(cerequirements micnumber)) {
        die "The job asks for $name, which has no meaning here. Leave it out.\n" if length($ad->{$name} // '') && ($ad->{$name} // '') ne '0';
    }
    return;
}

# The program as it is called in the working directory, and what is to be brought for it.
sub _program {
    my ($ad, $local) = @_;
    my $command = $ad->{cmd} // '';
    die "Cannot parse Cmd: the job's ClassAd has none.\n" unless length $command;
    return ($command, []) if ($ad->{stagecmd} // '') =~ /\A(?:no|false)\z/i;
    my $path = $local->($command);
    # HTCondor does not always say whether the program is to be brought: this one is of the machine where the job runs
    return ($command, []) if $command =~ m{\A/} && !-e $path;
    die "The program $path is not there or cannot be read.\n" unless -f $path && -r _;
    my $name = $path =~ s{.*/}{}sr;
    return ("./$name", [ [ $path, $name, 1 ] ]);
}

sub _inputs {
    my ($ad, $local) = @_;
    my @inputs;
    for my $path (_listed(',', $ad->{transferinput})) {
        die "transfer_input_files names the URL $path: only files of this machine can be brought.\n" if $path =~ m{\A[A-Za-z][A-Za-z0-9+.-]*://};
        my $from = $local->($path) =~ s{/+\z}{}r;
        die "The file $from, which the job needs, is not there or cannot be read.\n" unless -r $from;
        # a slash at the end means what is in the directory
        push @inputs, [ $from, $path =~ m{/\z} ? '.' : $from =~ s{.*/}{}sr ];
    }
    die 'transfer_input_files names more than ' . MAX_FILES . " files; pack them.\n" if @inputs > MAX_FILES;
    return @inputs;
}

sub _outputs {
    my ($ad, $local) = @_;
    my %place = map { map({ s/\A\s+|\s+\z//gr } split /=/, $_, 2) } grep { /=/ } _listed(';', $ad->{transferoutputremaps});
    my @outputs;
    for my $name (_listed(',', $ad->{transferoutput})) {
        die "transfer_output_files names $name, which is not below the job's directory.\n" if $name =~ m{\A/} || grep { $_ eq '..' } split m{/}, $name;
        my $to = $place{$name} // ($name =~ s{/+\z}{}r =~ s{.*/}{}sr);
        die "transfer_output_remaps sends $name to a URL: files come back to this machine only.\n" if $to =~ m{\A[A-Za-z][A-Za-z0-9+.-]*://};
        push @outputs, [ $name =~ s{/+\z}{}r, $local->($to) ];
    }
    return @outputs;
}

sub _listed {
    my ($between, $text) = @_;
    return grep { length } map { s/\A\s+|\s+\z//gr } split /\Q$between\E/, $text // '';
}

sub _arguments {
    my ($ad) = @_;
    return length($ad->{arguments} // '') ? Jobgate::Blah::Lines::split_words($ad->{arguments}) : split ' ', $ad->{args} // '';
}

sub _environment {
    my ($ad) = @_;
    my @words = length($ad->{environment} // '') ? Jobgate::Blah::Lines::split_words($ad->{environment}) : split /;/, $ad->{env} // '';
    return map {
        /\A([^=]+)=(.*)\z/s or die "The job's environment has '" . substr($_, 0, 80) . "', which is not NAME=VALUE.\n";
        [ $1, $2 ];
    } grep { length } @words;
}

# Standard input and output are files of the machine that submits: it shares them with those that run jobs.
sub _files {
    my ($ad, $local) = @_;
    my %names = (stdin => 'in', stdout => 'out', stderr => 'err');
    return map { my $path = $ad->{ $names{$_} } // ''; length $path ? ($_ => $local->($path)) : () } keys %names;
}

sub _asked {
    my ($ad) = @_;
    my (%spec, %resources);
    $spec{queue}          = $ad->{queue}        if length($ad->{queue} // '');
    $spec{project}        = $ad->{batchproject} if length($ad->{batchproject} // '');
    $spec{max_wall_time}  = _number($ad, 'batchruntime');
    $spec{host_count}     = _number($ad, 'hostnumber');
    my $memory = _number($ad, 'requestmemory');
    $spec{max_memory_mib} = $memory if defined $memory && $memory >= LEAST_MEMORY_MIB;
    my %as = (nodenumber => 'slots', smpgranularity => 'slots_per_host', gpunumber => 'gpus');
    for my $name (keys %as) { my $number = _number($ad, $name); $resources{ $as{$name} } = $number if defined $number && ($number > 1 || $name eq 'gpunumber') }
    $resources{whole_nodes} = 1 if ($ad->{wholenodes} // '') =~ /\A(?:true|yes)\z/i;
    if (length($ad->{gpumodel} // '')) { $resources{gpu_model} = $ad->{gpumodel}; $resources{gpus} //= 1 }
    $resources{gpu_mode} = uc $ad->{gpumode} if length($ad->{gpumode} // '');
    $spec{resources} = \%resources if %resources;
    $spec{extensions} = [ _options($ad->{batchextrasubmitargs}) ] if length($ad->{batchextrasubmitargs} // '');
    delete @spec{ grep { !defined $spec{$_} } keys %spec };
    return %spec;
}

# Options of the LRM's own submit command: those that the site allows (submit_options), which Slurm's adapter knows.
sub _options {
    my ($text) = @_;
    return map {
        /\A--([a-z][a-z-]*)(?:=(.*))?\z/s or die "batch_extra_submit_args holds '" . substr($_, 0, 80) . "', which is not --name=value.\n";
        { name => 'sbatch', attributes => { name => $1 }, text => $2 // '', children => [] };
    } Jobgate::Blah::Lines::split_words($text);
}

# A whole number above 0; undef for nothing.
sub _number {
    my ($ad, $name) = @_;
    my $text = $ad->{$name} // '';
    return if $text eq '' || $text =~ /\A0+\z/;
    die "The job's $name is '" . substr($text, 0, 40) . "', which is no number.\n" unless $text =~ /\A[0-9]{1,12}\z/;
    return $text + 0;
}

1;
