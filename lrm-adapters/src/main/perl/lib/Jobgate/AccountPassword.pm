# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::AccountPassword;

# Whether a password is that of the account that this worker runs as, by PAM (docs/operate/security.md#passwords-of-local-accounts). The
# account's own process must ask: to a process without rights, pam_unix answers only about its own account.
#
# The password comes in a frame and is given to PAM alone: never to a command line, a log or an answer.

use strict;
use warnings;

use constant MAX_PASSWORD => 1024;

my @PLACES = qw(/etc/pam.d /usr/lib/pam.d /usr/etc/pam.d);

# service: the name of a file of PAM; password: bytes
# -> fits (1 or 0), why (PAM's own word, for logs). Dies where PAM cannot say.
sub check {
    my ($request) = @_;
    my ($service, $password) = @$request{qw(service password)};
    die "not the name of a PAM service\n" unless defined $service && $service =~ /\A[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\z/;
    # PAM would take the service "other" instead, which may ask for less
    grep { -e "$_/$service" } @PLACES or die "there is no PAM service $service (no file $PLACES[0]/$service)\n";
    return { fits => 0, why => 'no password' } if !defined $password || $password eq '' || length $password > MAX_PASSWORD || $password =~ /\0/;
    eval { require Authen::PAM; 1 } or die "Perl's module Authen::PAM is missing; on Debian: apt-get install libauthen-pam-perl\n";
    my $account = getpwuid $> // die "the account has no name\n";
    return _asked($service, $account, $password);
}

sub _asked {
    my ($service, $account, $password) = @_;
    my $pam = Authen::PAM->new($service, $account, _talk($password));
    ref $pam or die "PAM could not begin: error $pam\n";
    # the gateway slows guesses itself, by name and address, and answers all that do not fit after the same time
    $pam->pam_set_item(Authen::PAM::PAM_FAIL_DELAY(), sub { });
    my $code = $pam->pam_authenticate(Authen::PAM::PAM_DISALLOW_NULL_AUTHTOK() | Authen::PAM::PAM_SILENT());
    $code = $pam->pam_acct_mgmt(Authen::PAM::PAM_SILENT()) if $code == Authen::PAM::PAM_SUCCESS();
    # PAM may have asked for another account than ours
    my $user = $account;
    $pam->pam_get_item(Authen::PAM::PAM_USER(), $user) == Authen::PAM::PAM_SUCCESS() && $user eq $account
        or die "PAM speaks of another account\n";
    return { fits => 1, why => 'Success' } if $code == Authen::PAM::PAM_SUCCESS();
    my $why = $pam->pam_strerror($code);
    return { fits => 0, why => $why } if _is_refusal($code);
    die "PAM could not say: $why\n";
}

# The first hidden prompt is answered with the password; all other prompts get no answer.
sub _talk {
    my ($password) = @_;
    my $told = 0;
    return sub {
        my @answers;
        while (my ($kind, undef) = splice @_, 0, 2) {
            if ($kind == Authen::PAM::PAM_PROMPT_ECHO_OFF()) {
                return Authen::PAM::PAM_CONV_ERR() if $told++;
                push @answers, Authen::PAM::PAM_SUCCESS(), $password;
            }
            elsif ($kind == Authen::PAM::PAM_PROMPT_ECHO_ON()) { return Authen::PAM::PAM_CONV_ERR() }
            else                                                { push @answers, Authen::PAM::PAM_SUCCESS(), '' }
        }
        return (@answers, Authen::PAM::PAM_SUCCESS());
    };
}

# What says that it does not fit; all else is PAM's own trouble.
sub _is_refusal {
    my ($code) = @_;
    return scalar grep { $code == $_ } (
        Authen::PAM::PAM_AUTH_ERR(),    Authen::PAM::PAM_USER_UNKNOWN(), Authen::PAM::PAM_MAXTRIES(),        Authen::PAM::PAM_PERM_DENIED(),
        Authen::PAM::PAM_ACCT_EXPIRED(), Authen::PAM::PAM_CRED_EXPIRED(), Authen::PAM::PAM_AUTHTOK_EXPIRED(), Authen::PAM::PAM_NEW_AUTHTOK_REQD(),
        Authen::PAM::PAM_CRED_INSUFFICIENT(), Authen::PAM::PAM_CONV_ERR(),
    );
}

1;
