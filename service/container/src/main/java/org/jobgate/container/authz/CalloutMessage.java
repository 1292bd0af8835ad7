// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.PointDecision;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is asked of a service or a program outside, and what it answers; docs/operate/authorization.md has the form.
 */
final class CalloutMessage {

    /** More than any answer needs. */
    static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_REASON = 500;
    private static final int MAX_ACCOUNTS = 64;
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private CalloutMessage() {}

    static byte[] question(AuthzRequest request) {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("subject", request.identity().subject());
        question.put("method", request.identity().method());
        question.put("limited", request.identity().limited());
        question.put("action", request.action().word());
        question.put("fqans", request.fqans());
        question.put("scopes", request.identity().scopes());
        question.put("attributes", request.attributes());
        question.put("rehearsal", request.isRehearsal());
        return JSON.writeValueAsBytes(question);
    }

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    static PointDecision answer(byte[] bytes) {
        JsonNode answer;
        try {
            answer = JSON.readTree(bytes);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the answer is not JSON", e);
        }
        String reason = printable(answer.path("reason").asString(""));
        String decision = answer.path("decision").asString("");
        return switch (decision) {
            case "permit" -> new PointDecision.Permit(accounts(answer.path("accounts")), reason);
            case "deny" -> new PointDecision.Deny(reason.isEmpty() ? "You are not admitted" : reason);
            case "indeterminate" -> new PointDecision.Indeterminate(reason);
            case "abstain" -> new PointDecision.Abstain(reason);
            default ->
                throw new IllegalArgumentException(
                        "the answer's decision is none of permit, deny, indeterminate, abstain");
        };
    }

    private static List<String> accounts(JsonNode node) {
        List<String> accounts = new ArrayList<>();
        for (JsonNode entry : node) {
            String account = entry.asString("");
            if (!ACCOUNT.matcher(account).matches() || accounts.size() >= MAX_ACCOUNTS) {
                throw new IllegalArgumentException(
                        "the answer's accounts are not at most " + MAX_ACCOUNTS + " names of local accounts");
            }
            accounts.add(account);
        }
        return accounts;
    }

    private static String printable(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ").strip();
        return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON);
    }
}
