// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.query;

import static java.util.Objects.requireNonNull;

import java.util.List;
import javax.xml.namespace.QName;
import org.jaxen.BaseXPath;
import org.jaxen.FunctionCallException;
import org.jaxen.XPathFunctionContext;
import org.jaxen.dom.DocumentNavigator;
import org.jaxen.function.StringFunction;
import org.jaxen.saxpath.SAXPathException;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * {@code QueryResourceProperties}: XPath 1.0 over the document of a resource's properties (facts/gram4.md section 1.8, capture 20). What
 * a query may cost is bounded, whatever it says.
 */
public final class Queries {

    public static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";

    private final Generation generation;
    private final WsrfFaults faults;
    private final QueryLimits limits;

    /** @param faults how a refusal is said */
    public Queries(Generation generation, WsrfFaults faults, QueryLimits limits) {
        this.generation = requireNonNull(generation, "generation is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.limits = requireNonNull(limits, "limits is null");
    }

    /**
     * Answers a query.
     *
     * @param root the name of the document's element
     * @param properties writes what is in it
     * @throws SoapFaultException for a query that cannot be read or costs too much
     */
    public Reply answer(XmlElement request, QName root, XmlContent properties) {
        XmlElement expression = request.child("QueryExpression")
                .orElseThrow(() ->
                        faults.invalidQuery("QueryResourceProperties has no QueryExpression. Put the XPath into one."));
        requireXPath(expression);
        Element document = XmlWriter.toDom(root, properties);
        Object result = evaluate(expression, document);
        List<?> results = result instanceof List<?> nodes ? nodes : List.of(result);
        requireSmall(results);
        return new Reply(Actions.properties(generation, "QueryResourceProperties"), out -> {
            out.open(generation.properties("QueryResourcePropertiesResponse"));
            results.forEach(one -> write(out, one));
            out.close();
        });
    }

    private void requireXPath(XmlElement expression) {
        String dialect = expression.attribute("Dialect").map(String::strip).orElse(XPATH);
        if (!dialect.equals(XPATH)) {
            throw faults.queryDialectUnknown("The dialect of the query is not known. Use " + XPATH + ".");
        }
        String text = expression.trimmedText();
        if (text.length() > limits.expressionCharacters().value()) {
            throw faults.invalidQuery("The expression has " + text.length() + " characters, more than "
                    + limits.expressionCharacters().name() + " = "
                    + limits.expressionCharacters().value() + ". Ask with a shorter one.");
        }
        if (nesting(text) > limits.nesting().value()) {
            throw faults.invalidQuery("The expression has brackets within brackets more than "
                    + limits.nesting().name() + " = " + limits.nesting().value() + " deep. Ask with a simpler one.");
        }
    }

    /** The depth of nested round and square brackets, and of signs in a row, which the parser nests as well. */
    private static int nesting(String expression) {
        int depth = 0;
        int deepest = 0;
        int signs = 0;
        for (int i = 0; i < expression.length(); i++) {
            char character = expression.charAt(i);
            if (character == '(' || character == '[') {
                depth++;
            } else if (character == ')' || character == ']') {
                depth--;
            }
            signs = character == '-' ? signs + 1 : Character.isWhitespace(character) ? signs : 0;
            deepest = Math.max(deepest, Math.max(depth, signs));
        }
        return deepest;
    }

    private Object evaluate(XmlElement expression, Element document) {
        String text = expression.trimmedText();
        try {
            CountingNavigator navigator = new CountingNavigator(limits.visits(), limits.time());
            BaseXPath xpath = new BaseXPath(text, navigator);
            // without the functions of XSLT, one of which reads other documents
            xpath.setFunctionContext(new XPathFunctionContext(false));
            xpath.setNamespaceContext(prefix -> expression.namespace(prefix).orElse(null));
            return xpath.evaluate(document.getOwnerDocument());
        } catch (SAXPathException e) {
            if (e instanceof FunctionCallException) {
                throw faults.queryFailed("The query cannot be answered: " + e.getMessage() + ". Correct it.");
            }
            throw faults.invalidQuery("The expression is no XPath 1.0: " + e.getMessage() + ". Correct it.");
        } catch (CountingNavigator.StoppedException e) {
            throw faults.queryFailed("The query was stopped: " + e.getMessage() + ". Ask for less.");
        }
    }

    private void requireSmall(List<?> results) {
        long characters = 0;
        for (Object result : results) {
            characters += result instanceof Node node
                    ? charactersOf(node)
                    : result.toString().length();
            if (characters > limits.resultCharacters().value()) {
                throw faults.queryFailed("The query answers more than "
                        + limits.resultCharacters().name() + " = "
                        + limits.resultCharacters().value() + " characters. Ask for less.");
            }
        }
    }

    /** Its texts, and for each element what its tags take. */
    private static long charactersOf(Node node) {
        long characters = node.getNodeType() == Node.ELEMENT_NODE
                ? 2L * node.getNodeName().length() + 5
                : 0;
        if (node.getNodeValue() != null) {
            characters += node.getNodeValue().length();
        }
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            characters += charactersOf(child);
        }
        return characters;
    }

    private static void write(XmlWriter out, Object result) {
        if (result instanceof Element element) {
            out.copy(element);
        } else if (result instanceof Document document) {
            out.copy(document.getDocumentElement());
        } else if (result instanceof Node node) {
            out.text(node.getNodeValue() == null ? "" : node.getNodeValue());
        } else if (result instanceof Double number) {
            out.text(StringFunction.evaluate(number, new DocumentNavigator()));
        } else {
            out.text(result.toString());
        }
    }
}
