# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Server;

# The conversation of jobgate-blahpd: each command is answered at once, what comes of it is a result that the client fetches. Nothing here waits but for input.

use strict;
use warnings;

use Time::HiRes ();
use Jobgate::Blah::Accounting ();
use Jobgate::Blah::Lines    ();
use Jobgate::Blah::Lrm      ();
use Jobgate::Blah::Plan     ();
use Jobgate::Blah::Select   ();
use Jobgate::Blah::Settings ();
use Jobgate::Blah::Status   ();
use Jobgate::Wire           ();

use constant {
    BANNER       => '$GahpVersion: 1.8.0 Nov 26 2026 blahpd\ of\ Jobgate $',
    READ         => 65_536,
    LONGEST_LINE => 16 * 1024 * 1024,
    MOST_WAITING => 10_000,        # commands whose results are still to come, and results that nobody has fetched
    TURN         => 0.25,
    # bytes of a description: a request to the worker holds those of 100 jobs, and may have 64 MiB
    LONGEST_DESCRIPTION => 512 * 1024,
};

my $ACCOUNT_IS_FIXED = 'jobgate-blahpd\ runs\ jobs\ as\ the\ account\ that\ has\ started\ it';

# command => [ words that it needs, method ]; with a third word true its answer is a result
my %COMMANDS = (
    ASYNC_MODE_OFF => [ 0, \&_async_off ], ASYNC_MODE_ON => [ 0, \&_async_on ], COMMANDS => [ 0, \&_commands ], QUIT => [ 0, \&_quit ], RESULTS => [ 0, \&_results ],
    RESPONSE_PREFIX => [ 0, \&_prefix ], VERSION => [ 0, sub { $_[0]->_say('S ' . BANNER) } ],
    (map { $_ => [ 0, sub { $_[0]->_say('S') } ] } qw(CACHE_PROXY_FROM_FILE USE_CACHED_PROXY UNCACHE_PROXY BLAH_SET_GLEXEC_OFF BLAH_SET_SUDO_OFF)),
    (map { $_ => [ 0, sub { $_[0]->_say("F $ACCOUNT_IS_FIXED") } ] } qw(BLAH_SET_GLEXEC_DN BLAH_SET_SUDO_ID)),
    BLAH_PING => [ 2, \&_ping, 1 ], BLAH_GET_HOSTPORT => [ 1, \&_host_port, 1 ], BLAH_JOB_SUBMIT => [ 2, \&_submit, 1 ],
    BLAH_JOB_STATUS => [ 2, \&_status, 1 ], BLAH_JOB_STATUS_ALL => [ 1, \&_status_all, 1 ], BLAH_JOB_STATUS_SELECT => [ 2, \&_status_select, 1 ],
    BLAH_JOB_CANCEL => [ 2, sub { my ($self, @words) = @_; $self->_asked('cancel', @words) }, 1 ],
    BLAH_JOB_HOLD   => [ 2, sub { my ($self, @words) = @_; $self->_asked('suspend', @words) }, 1 ],
    BLAH_JOB_RESUME => [ 2, sub { my ($self, @words) = @_; $self->_asked('resume', @words) }, 1 ],
    BLAH_JOB_REFRESH_PROXY => [ 3, \&_refresh, 1 ], BLAH_JOB_SEND_PROXY_TO_WORKER_NODE => [ 4, \&_refresh, 1 ],
);

# in, out: handles of the client; settings (default: those of the files)
sub new {
    my ($class, %given) = @_;
    return bless { prefix => '', results => [], owed => 0, lrms => {}, %given }, $class;
}

# Serves until the client says QUIT or closes our input. Jobs are the LRM's; the workers end when they have done what they are at.
sub run {
    my ($self) = @_;
    $self->_say(BANNER);
    my $text = '';
    until ($self->{is_over}) {
        my ($read, $write) = ('', '');
        vec($read, fileno $self->{in}, 1) = 1;
        my @workers = map { $_->worker } values %{ $self->{lrms} };
        for my $worker (@workers) {
            my ($in, $out) = $worker->handles;
            vec($read,  fileno $in,  1) = 1 if $in;
            vec($write, fileno $out, 1) = 1 if $out;
        }
        my ($readable, $writable) = ($read, $write);
        my $ready = select $readable, $writable, undef, TURN;
        if ($ready > 0) {
            for my $worker (@workers) {
                my ($in, $out) = $worker->handles;
                $worker->flush if $out && vec $writable, fileno $out, 1;
                $worker->read  if $in  && vec $readable, fileno $in,  1;
            }
            if (vec $readable, fileno $self->{in}, 1) {
                sysread($self->{in}, $text, READ, length $text) or last;
                while ($text =~ s/\A([^\n]*)\n//) { $self->_command($1 =~ s/\r\z//r); last if $self->{is_over} }
                if (length $text > LONGEST_LINE) { _log('a command is longer than ' . LONGEST_LINE . ' bytes'); last }
            }
        }
        for my $lrm (values %{ $self->{lrms} }) { eval { $lrm->tend; 1 } or _log($@) }
    }
    return;
}

sub _command {
    my ($self, $line) = @_;
    my ($name, @words) = Jobgate::Blah::Lines::split_line($line);
    return unless defined $name;
    my ($needs, $code, $has_result) = @{ $COMMANDS{ uc $name } // [] };
    return $self->_say('E') if !$code || @words < $needs;
    return $code->($self, @words) unless $has_result;
    return $self->_say('F Threads\ limit\ reached') if $self->{owed} + @{ $self->{results} } >= MOST_WAITING;
    $self->_say('S');
    $self->{owed}++;
    eval { $code->($self, @words); 1 } or $self->_failed(uc $name, $words[0], $@);
    return;
}

# A result of the form that the command has.
sub _failed {
    my ($self, $name, $request, $why) = @_;
    chomp $why;
    my @more = $name eq 'BLAH_JOB_SUBMIT' || $name eq 'BLAH_GET_HOSTPORT' ? ('N/A') : $name =~ /STATUS/ ? (0, 'N/A') : ();
    return $self->_result($request, 1, $why, @more);
}

sub _result {
    my ($self, $request, $code, $text, @more) = @_;
    $self->{owed}--;
    push @{ $self->{results} }, join ' ', map { Jobgate::Blah::Lines::escape($_) } $request, $code, $text, @more;
    $self->_wake;
    return;
}

# The client is notified once, and again only after it has fetched the results.
sub _wake {
    my ($self) = @_;
    return if !$self->{is_async} || $self->{is_told} || !@{ $self->{results} };
    $self->{is_told} = 1;
    return $self->_say('R');
}

sub _say {
    my ($self, $line) = @_;
    my $bytes = "$self->{prefix}$line\r\n";
    my $done  = 0;
    while ($done < length $bytes) {
        my $wrote = syswrite $self->{out}, $bytes, length($bytes) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        if (!$wrote) { $self->{is_over} = 1; return }    # the client is gone
        $done += $wrote;
    }
    return;
}

# The client writes what comes here into its own log.
sub _log { my ($text) = @_; print STDERR 'jobgate-blahpd: ', $text =~ s/[\r\n]+/ /gr, "\n"; return }

# --- commands that are answered at once ----------------------------------------------------------------------------------------------

sub _commands { my ($self) = @_; return $self->_say('S ' . join ' ', sort keys %COMMANDS) }
sub _quit      { my ($self) = @_; $self->_say('S'); $self->{is_over} = 1; return }
sub _async_off { my ($self) = @_; $self->{is_async} = 0; return $self->_say('S') }
sub _async_on  { my ($self) = @_; @$self{qw(is_async is_told)} = (1, 0); $self->_say('S'); return $self->_wake }
sub _prefix    { my ($self, $prefix) = @_; $self->_say('S'); $self->{prefix} = $prefix // ''; return }

sub _results {
    my ($self) = @_;
    my @results = splice @{ $self->{results} };
    $self->{is_told} = 0;
    $self->_say('S ' . @results);
    $self->_say($_) for @results;
    return;
}

# --- commands with a result ------------------------------------------------------------------------------------------------------------

sub _settings { my ($self) = @_; return $self->{settings} //= Jobgate::Blah::Settings->read }

sub _lrm {
    my ($self, $name) = @_;
    $name = lc $name;
    return $self->{lrms}{$name} if $self->{lrms}{$name};
    my $lrm = Jobgate::Blah::Lrm->new(name => $name, lrm => $self->_settings->lrm($name), log => \&_log, closed => [ @$self{qw(in out)} ]);
    return $self->{lrms}{$name} = $lrm;
}

# The grid type and the LRM's id of a job, from LRMS/YYYYMMDD/ID.
sub _job_of {
    my ($self, $handle) = @_;
    my ($name, $id) = $handle =~ m{\A([^/]+)/[0-9]{8}/(.+)\z}s or die "'" . substr($handle, 0, 100) . "' is no id of a job: it has the form LRMS/YYYYMMDD/ID.\n";
    return ($self->_lrm($name), $id);
}

# Calls the code with the grid type and the job's tag, when all is known of the jobs that there are.
sub _with_job {
    my ($self, $name, $request, $handle, $code) = @_;
    my ($lrm, $id) = $self->_job_of($handle);
    $lrm->when_whole(sub {
        my ($why) = @_;
        my $tag = $lrm->tag_of($id);
        return $self->_failed($name, $request, $why) if defined $why && !defined $tag;
        return $self->_failed($name, $request, "The job $handle is not known here.") unless defined $tag;
        eval { $code->($lrm, $tag); 1 } or $self->_failed($name, $request, $@);
    });
    return;
}

sub _ping {
    my ($self, $request, $name) = @_;
    my $lrm = $self->_lrm($name);
    $lrm->when_whole(sub {
        my ($why) = @_;
        return $self->_failed('BLAH_PING', $request, $why) if defined $why;
        $lrm->ask_once('queues', {}, sub {
            my $bad = $_[0]{error} // $_[0]{died};
            defined $bad ? $self->_failed('BLAH_PING', $request, $bad) : $self->_result($request, 0, 'No error');
        });
    });
    return;
}

sub _host_port { my ($self, $request) = @_; return $self->_failed('BLAH_GET_HOSTPORT', $request, 'jobgate-blahpd has no port for events: ask for the status of jobs') }

sub _submit {
    my ($self, $request, $text) = @_;
    my $ad   = Jobgate::Blah::Lines::parse_ad($text);
    my $name = $ad->{gridtype} // die "Missing gridtype in submission classAd\n";
    my $key  = (grep { defined && length } @$ad{qw(jobdirectory uniquejobid clientjobid)})[0]
        // die "The job's ClassAd has neither a JobDirectory nor a uniquejobid nor a ClientJobId, by which a repeated submission would be known.\n";
    my $lrm = $self->_lrm($name);
    my ($tag, $is_there) = $lrm->records->take($key);
    my $description = eval { _prepared($ad, $lrm, $tag) };
    if (!defined $description) { my $why = $@; $lrm->records->forget($tag) unless $is_there; die $why }
    $lrm->ask('submit', { tag => $tag, description => $description, may_exist => $is_there ? 1 : 0 }, sub {
        my ($said, $why) = @_;
        return $self->_failed('BLAH_JOB_SUBMIT', $request, "It is not clear whether the batch system has the job: $why") unless defined $said;
        if (my $fault = ref $said ? $said->{refused} : { sentence => 'the adapter was not understood' }) {
            $lrm->records->forget($tag) unless $is_there;
            return $self->_failed('BLAH_JOB_SUBMIT', $request, join ' ', grep { defined && length } @$fault{qw(sentence remedy)});
        }
        my $id = $said->{ids}[0];
        $self->_account($ad, $lrm, $tag, $id, $is_there);
        $self->_result($request, 0, 'No error', $lrm->name . '/' . _day() . "/$id");
    });
    return;
}

# The description of a job, encoded; its proxy is copied before.
sub _prepared {
    my ($ad, $lrm, $tag) = @_;
    my $description = Jobgate::Wire::encode(Jobgate::Blah::Plan::of($ad, $lrm->records->place($tag)));
    die 'The environment, the arguments and the file names of the job have more than ' . LONGEST_DESCRIPTION . " bytes: put some of them into a file.\n" if length $description > LONGEST_DESCRIPTION;
    if (defined $ad->{x509userproxy}) { eval { $lrm->records->keep_proxy($tag, $ad->{x509userproxy}); 1 } or die 'Credentials not valid: ' . $@ }
    return $description;
}

sub _day { my @now = gmtime; return sprintf '%04d%02d%02d', $now[5] + 1900, $now[4] + 1, $now[3] }

# is_there: the submission is a repeated one, whose job may be in the log already
sub _account {
    my ($self, $ad, $lrm, $tag, $id, $is_there) = @_;
    my $path = $self->_settings->own('accounting_log', $ENV{BLAHPD_ACCOUNTING_INFO_LOG}) // return;
    return if ($lrm->records->job($tag) // {})->{accounted};
    eval {
        Jobgate::Blah::Accounting::write($path, $ad, $lrm->name, $id, $self->_settings->own('accounting_umask'))
            unless $is_there && Jobgate::Blah::Accounting::has($path, $ad, $lrm->name, $id);
        $lrm->records->note($tag, accounted => 1);
        1;
    }
        or _log("the job $tag ($id) is not in the accounting log: $@");
    return;
}

# How the job is; its end is noted as told before it is.
sub _status_of {
    my ($lrm, $tag, $is_for_owner) = @_;
    my $noted = $lrm->records->job($tag) // {};
    my ($status, $ad, $is_over) = Jobgate::Blah::Status::of($lrm->jobs->{$tag}, $noted, scalar $lrm->records->why($tag));
    if ($is_over && $is_for_owner && !$noted->{told}) { $lrm->records->note($tag, told => 1); $lrm->records->drop_proxy($tag) }
    return ($status, $ad);
}

sub _status {
    my ($self, $request, $handle) = @_;
    return $self->_with_job('BLAH_JOB_STATUS', $request, $handle, sub { $self->_result($request, 0, 'No error', _status_of(@_, 1)) });
}

sub _status_all { my ($self, $request) = @_; return $self->_status_some('BLAH_JOB_STATUS_ALL', $request, sub { 1 }) }

sub _status_select {
    my ($self, $request, $expression) = @_;
    return $self->_status_some('BLAH_JOB_STATUS_SELECT', $request, Jobgate::Blah::Select::compile($expression));
}

# A list of the ClassAds of all jobs of all grid types that are chosen.
sub _status_some {
    my ($self, $name, $request, $is_chosen) = @_;
    my @lrms = map { $self->_lrm($_) } $self->_settings->used;
    my ($left, @ads, $bad) = (scalar @lrms);
    my $done = sub { $self->_result($request, 0, 'No error', '{ ' . join(', ', @ads) . ' }') };
    return $done->() unless @lrms;
    for my $lrm (@lrms) {
        $lrm->when_whole(sub {
            my ($why) = @_;
            $bad //= $why;
            for my $tag (defined $why ? () : sort keys %{ $lrm->jobs }) {
                my (undef, $ad) = _status_of($lrm, $tag);
                push @ads, $ad if $is_chosen->(Jobgate::Blah::Lines::parse_ad($ad));
            }
            return if --$left;
            return defined $bad ? $self->_result($request, 1, $bad, 'N/A') : $done->();
        });
    }
    return;
}

# A job that is cancelled is noted before, so that a later submission with its key is another job.
sub _asked {
    my ($self, $op, $request, $handle) = @_;
    return $self->_with_job('', $request, $handle, sub {
        my ($lrm, $tag) = @_;
        $lrm->records->note($tag, cancelled => 1) if $op eq 'cancel' && !$lrm->jobs->{$tag}{end};
        $lrm->records->note($tag, told => 1)      if $op eq 'cancel' && $lrm->jobs->{$tag}{end};
        $lrm->records->note($tag, held => $op eq 'suspend' ? 1 : 0) if $op ne 'cancel';
        $lrm->ask($op, { tag => $tag, ids => $lrm->jobs->{$tag}{ids} // [] }, sub {
            my ($said, $why) = @_;
            my $fault = ref $said ? $said->{refused} : undef;
            $lrm->records->note($tag, held => 0) if $fault && $op eq 'suspend';
            return $self->_result($request, 1, $why) unless defined $said;
            return $self->_result($request, 1, $fault->{sentence}) if $fault;
            return $self->_result($request, 0, 'No error');
        });
    });
}

# Jobs read their proxy from the shared file system: there is no other way to a node.
sub _refresh {
    my ($self, $request, $handle, $file) = @_;
    return $self->_with_job('', $request, $handle, sub {
        my ($lrm, $tag) = @_;
        $lrm->records->keep_proxy($tag, $file);
        $self->_result($request, 0, 'No error');
    });
}

1;
