# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What Jobgate::AccountPassword makes of what PAM asks and answers. A stand-in takes PAM's place here; the real one is asked in AccountsIT.

use strict;
use warnings;
use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Test::More;

our (@asks, $authenticated, $allowed, $user, @heard);

BEGIN {
    $INC{'Authen/PAM.pm'} = __FILE__;
    my $number = 0;
    for my $name (qw(PAM_SUCCESS PAM_CONV_ERR PAM_AUTH_ERR PAM_USER_UNKNOWN PAM_MAXTRIES PAM_PERM_DENIED PAM_ACCT_EXPIRED PAM_CRED_EXPIRED
        PAM_AUTHTOK_EXPIRED PAM_NEW_AUTHTOK_REQD PAM_CRED_INSUFFICIENT PAM_SYSTEM_ERR PAM_PROMPT_ECHO_OFF PAM_PROMPT_ECHO_ON PAM_TEXT_INFO
        PAM_FAIL_DELAY PAM_USER PAM_DISALLOW_NULL_AUTHTOK PAM_SILENT)) {
        my $value = $number++;
        no strict 'refs';
        *{"Authen::PAM::$name"} = sub { $value };
    }
}

package Authen::PAM {
    sub new { my ($class, @given) = @_; $main::user //= $given[1]; return bless { talk => $given[2] }, $class }
    sub pam_set_item { return 0 }
    sub pam_get_item { $_[2] = $main::user; return 0 }
    sub pam_acct_mgmt { return $main::allowed }
    sub pam_strerror { return "error $_[1]" }

    sub pam_authenticate {
        my ($self) = @_;
        my @answers = $self->{talk}->(map { ($_, 'prompt') } @main::asks);
        my $said = pop @answers;
        @main::heard = @answers;
        return $said == 0 ? $main::authenticated : $said;
    }
}

package main;

require Jobgate::AccountPassword;
my ($off, $on, $info) = (Authen::PAM::PAM_PROMPT_ECHO_OFF(), Authen::PAM::PAM_PROMPT_ECHO_ON(), Authen::PAM::PAM_TEXT_INFO());

my $service = "other";
plan skip_all => "SKIPPED: there is no /etc/pam.d/other" unless -e "/etc/pam.d/other";

sub asked {
    my (%given) = @_;
    @asks = @{ $given{asks} // [$off] };
    ($authenticated, $allowed, $user) = ($given{authenticated} // 0, $given{allowed} // 0, $given{user});
    my $answer = eval { Jobgate::AccountPassword::check({ service => $given{service} // $service, password => $given{password} // 'secret' }) };
    return $answer ? $answer->{fits} : $@;
}

is asked(), 1, 'what PAM takes fits';
is_deeply \@heard, [0, 'secret'], 'PAM was told the password';
is asked(asks => [$info, $off]), 1, 'what PAM only tells is passed over';
is_deeply \@heard, [0, '', 0, 'secret'], 'and gets no password';
is asked(authenticated => Authen::PAM::PAM_AUTH_ERR()), 0, 'a wrong one does not fit';
is asked(allowed => Authen::PAM::PAM_ACCT_EXPIRED()), 0, 'an account that has expired is not let in';
is asked(allowed => Authen::PAM::PAM_NEW_AUTHTOK_REQD()), 0, 'nor one whose password has';
is asked(asks => [$off, $off]), 0, 'a second secret is not answered with the first';
is asked(asks => [$on]), 0, 'what is shown while it is typed is no password';
like asked(authenticated => Authen::PAM::PAM_SYSTEM_ERR()), qr/PAM could not say: error/, 'the trouble of PAM is no answer';
like asked(user => 'somebody-else'), qr/another account/, 'PAM may not speak of another account';
like asked(service => 'no-such-service'), qr/no PAM service/, 'the service must be there';
like asked(service => '../x'), qr/not the name/, 'and be a name';
is asked(password => $_->[0]), 0, $_->[1] for ['', 'an empty password'], ["a\0b", 'one with a zero'], ['x' x 1025, 'a long one'];
unlike asked(authenticated => Authen::PAM::PAM_SYSTEM_ERR()), qr/secret/, 'no word tells the password';

done_testing;
