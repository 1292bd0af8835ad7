// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jobgate.authz.PointDecision;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/**
 * Reads the answer to a query: a samlp:Response with one XACML result. GUMS leaves out much that the schema wants (ID, IssueInstant, Status,
 * Issuer), so none of that is needed. A permit with an obligation that is not understood is none.
 */
final class XacmlAnswer {

    /** The obligations that are fulfilled, by what they are called behind {@link XacmlWording#INTEROP}{@code obligation/}. */
    static final List<String> UNDERSTOOD = List.of("username", "uidgid", "secondary-gids", "account");

    private static final String SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
    private static final String POLICY = "urn:oasis:names:tc:xacml:2.0:policy:schema:os";
    private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
    private static final String OBLIGATION = XacmlWording.INTEROP + "obligation/";
    private static final String VALUE = XacmlWording.INTEROP + "attribute/";
    private static final int TOLD = 300;
    private static final int GROUPS_MAX = 1_024;
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");
    private static final XmlLimits LIMITS = new XmlLimits(
            new Limit("elements of an authorization service's answer", 2_000),
            new Limit("depth of an authorization service's answer", 32),
            new Limit("attributes in an authorization service's answer", 32),
            new Limit("characters in an authorization service's answer", 32_768));

    private final LocalAccounts accounts;

    XacmlAnswer(LocalAccounts accounts) {
        this.accounts = requireNonNull(accounts, "accounts is null");
    }

    /**
     * The decision.
     *
     * @param id of the query
     * @throws IllegalArgumentException that says what is wrong with the answer
     */
    PointDecision read(byte[] answer, String id) {
        XmlElement envelope;
        try {
            envelope = XmlTree.parse(answer, LIMITS);
        } catch (MalformedXmlException | FaultException e) {
            throw new IllegalArgumentException("its answer cannot be read: " + e.getMessage(), e);
        }
        XmlElement content = one(child(envelope, XacmlWording.SOAP, "Body").children(), "content of the Body");
        if (isNamed(content, XacmlWording.SOAP, "Fault")) {
            String said =
                    content.child("faultstring").map(XmlElement::trimmedText).orElse("");
            throw new IllegalArgumentException("it answered with a fault: " + shown(said));
        }
        if (!isNamed(content, SAMLP, "Response")) {
            throw new IllegalArgumentException("its answer is no samlp:Response");
        }
        if (content.attribute("InResponseTo").filter(to -> !to.equals(id)).isPresent()) {
            throw new IllegalArgumentException("it answered another query");
        }
        content.child("Status")
                .flatMap(status -> status.child("StatusCode"))
                .flatMap(code -> code.attribute("Value"))
                .filter(value -> !value.equals(SUCCESS))
                .ifPresent(value -> {
                    throw new IllegalArgumentException("it answered with the status " + shown(value));
                });
        XmlElement statement = child(content, XacmlWording.SAML, "Assertion").children().stream()
                .filter(part -> part.localName().endsWith("Statement"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("its assertion has no statement"));
        XmlElement response = child(statement, XacmlWording.CONTEXT, "Response");
        return decision(one(
                response.children().stream()
                        .filter(part -> isNamed(part, XacmlWording.CONTEXT, "Result"))
                        .toList(),
                "Result"));
    }

    private static boolean isNamed(XmlElement element, String namespace, String name) {
        return element.localName().equals(name)
                && element.name().getNamespaceURI().equals(namespace);
    }

    private static XmlElement child(XmlElement element, String namespace, String name) {
        return one(
                element.children().stream()
                        .filter(part -> isNamed(part, namespace, name))
                        .toList(),
                name);
    }

    private static XmlElement one(List<XmlElement> found, String what) {
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "its answer has " + found.size() + " parts of the kind " + what + ", where one is looked for");
        }
        return found.getFirst();
    }

    private static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ").strip();
        return line.length() <= TOLD ? line : line.substring(0, TOLD);
    }

    private PointDecision decision(XmlElement result) {
        String word = child(result, XacmlWording.CONTEXT, "Decision").trimmedText();
        String said = result.child("Status")
                .flatMap(status -> status.child("StatusMessage"))
                .map(message -> shown(message.trimmedText()))
                .orElse("");
        return switch (word) {
            case "Permit" -> permit(result);
            case "Deny" ->
                new PointDecision.Deny("The site's mapping service denies it" + (said.isEmpty() ? "" : ": " + said));
            case "NotApplicable" ->
                new PointDecision.Abstain(
                        "the mapping service does not know the caller" + (said.isEmpty() ? "" : ": " + said));
            case "Indeterminate" ->
                throw new IllegalArgumentException("it cannot decide" + (said.isEmpty() ? "" : ": " + said));
            default -> throw new IllegalArgumentException("its decision is '" + shown(word) + "'");
        };
    }

    /** What the obligations say of the account. */
    private static final class Mapping {
        private Optional<String> username = Optional.empty();
        private OptionalLong uid = OptionalLong.empty();
    }

    private PointDecision permit(XmlElement result) {
        Mapping mapping = new Mapping();
        List<XmlElement> obligations = new ArrayList<>();
        result.children().stream()
                .filter(part -> isNamed(part, POLICY, "Obligations"))
                .forEach(part -> obligations.addAll(part.children()));
        for (XmlElement obligation : obligations) {
            if (!obligation.attribute("FulfillOn").filter("Deny"::equals).isPresent()) {
                read(obligation, mapping);
            }
        }
        Optional<String> account = account(mapping);
        return new PointDecision.Permit(
                account.map(List::of).orElse(List.of()),
                account.map(name -> "the mapping service maps the caller to " + name)
                        .orElse("the mapping service permits it, and names no account"));
    }

    private static void read(XmlElement obligation, Mapping mapping) {
        String id = obligation.attribute("ObligationId").orElse("");
        if (!id.startsWith(OBLIGATION) || !UNDERSTOOD.contains(id.substring(OBLIGATION.length()))) {
            throw new IllegalArgumentException(
                    "it permits with the obligation '" + shown(id) + "', which cannot be fulfilled here");
        }
        if (obligation.children().size() > GROUPS_MAX) {
            throw new IllegalArgumentException(
                    "an obligation has " + obligation.children().size() + " values");
        }
        for (XmlElement value : obligation.children()) {
            String text = value.trimmedText();
            String name = value.attribute("AttributeId").orElse("").replaceFirst("^" + Pattern.quote(VALUE), "");
            switch (name) {
                case "username" -> {
                    if (!ACCOUNT.matcher(text).matches()
                            || mapping.username
                                    .filter(other -> !other.equals(text))
                                    .isPresent()) {
                        throw new IllegalArgumentException(
                                "its username '" + shown(text) + "' is no name of a local account, or one of two");
                    }
                    mapping.username = Optional.of(text);
                }
                case "posix-uid" -> mapping.uid = OptionalLong.of(number(text));
                case "posix-gid", "primary-groupname", "secondary-groupnames" -> {
                    // the account's groups are those of this machine
                }
                default ->
                    throw new IllegalArgumentException("its obligation has the unknown value '" + shown(name) + "'");
            }
        }
    }

    private static long number(String text) {
        if (!NUMBER.matcher(text).matches() || Long.parseLong(text) == 0) {
            throw new IllegalArgumentException("its posix-uid is '" + shown(text) + "', which no job may run as");
        }
        return Long.parseLong(text);
    }

    private Optional<String> account(Mapping mapping) {
        if (mapping.uid.isEmpty()) {
            return mapping.username;
        }
        long uid = mapping.uid.getAsLong();
        if (mapping.username.isEmpty()) {
            return Optional.of(accounts.named(Long.toString(uid))
                    .map(LocalAccounts.Account::name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "it names the uid " + uid + ", which no account of this machine has")));
        }
        String name = mapping.username.get();
        accounts.named(name).filter(found -> found.uid() != uid).ifPresent(found -> {
            throw new IllegalArgumentException("it names the account " + name + " with the uid " + uid
                    + "; on this machine that account's is " + found.uid());
        });
        return Optional.of(name);
    }
}
