// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.List;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.bes.Activities.Activity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.ShortText;
import org.jobgate.language.JobLanguage;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/**
 * The operations on many activities. Each is answered in the order of the request, with its identifier as it was sent; what cannot be done with
 * one is said in its own answer.
 */
final class Vectors {

    private final Activities activities;
    private final BesFaults faults;
    private final ActivityDocuments documents;
    private final Limit identifiers;

    Vectors(Activities activities, BesFaults faults, JobLanguage language, BesSettings settings) {
        this.activities = activities;
        this.faults = faults;
        this.documents = new ActivityDocuments(activities, faults, language);
        this.identifiers = settings.identifiers();
    }

    XmlContent statuses(Caller caller, SoapCall call) {
        Asked asked = asked(call);
        List<Optional<Activity>> found = activities.findAll(caller, asked.ids());
        return response(
                "GetActivityStatusesResponse",
                asked,
                i -> found.get(i).map(Statuses::of).orElseGet(() -> unknown(asked, i)));
    }

    /** Terminate is answered when the wish is on disk; how the activity ends is seen in its status. */
    XmlContent terminate(Caller caller, SoapCall call) {
        Asked asked = asked(call);
        List<Optional<Activity>> found = activities.cancelAll(caller, asked.ids());
        return response("TerminateActivitiesResponse", asked, i -> {
            Optional<Activity> activity = found.get(i);
            BaseState state =
                    activity.map(known -> Activities.state(known).base()).orElse(null);
            boolean isTerminated = state != null && state != BaseState.FINISHED && state != BaseState.FAILED;
            XmlContent fault =
                    isTerminated ? out -> {} : activity.map(this::over).orElseGet(() -> unknown(asked, i));
            return out -> {
                out.element(BesNames.factory("Terminated"), Boolean.toString(isTerminated));
                fault.write(out);
            };
        });
    }

    private XmlContent over(Activity activity) {
        String state = Activities.state(activity).base().wireName();
        return faults.cannotApply(
                Fault.of(FaultCode.WRONG_STATE, "The activity is " + state + ": there is nothing to terminate.", ""),
                Statuses.of(activity));
    }

    /** An operation of our own: ends activities and forgets them, as none of BES does. */
    XmlContent destroy(Caller caller, SoapCall call) {
        Asked asked = asked(call);
        List<Optional<Activity>> found = activities.destroyAll(caller, asked.ids());
        return out -> {
            out.open(BesNames.ours("DestroyActivitiesResponse"));
            for (int i = 0; i < asked.elements().size(); i++) {
                out.open(BesNames.ours("Response"));
                out.copy(asked.elements().get(i));
                out.element(
                        BesNames.ours("Destroyed"),
                        Boolean.toString(found.get(i).isPresent()));
                if (found.get(i).isEmpty()) {
                    unknown(asked, i).write(out);
                }
                out.close();
            }
            out.close();
        };
    }

    XmlContent documents(Caller caller, SoapCall call) {
        Asked asked = asked(call);
        List<XmlContent> answers = documents.of(caller, asked.ids());
        return response("GetActivityDocumentsResponse", asked, answers::get);
    }

    private XmlContent unknown(Asked asked, int at) {
        return faults.unknown(BesFaults.unknownActivity(
                asked.ids().get(at).map(id -> id + "").orElse("with an identifier like that")));
    }

    /** The identifiers of a request, as they were sent and as they were understood. */
    private record Asked(List<XmlElement> elements, List<Optional<ActivityId>> ids) {}

    private Asked asked(SoapCall call) {
        List<XmlElement> elements = call.body().children();
        for (XmlElement element : elements) {
            if (!element.name().equals(BesNames.ACTIVITY_IDENTIFIER)) {
                throw BesFaults.invalid(
                        element.name().toString(),
                        call.body().localName() + " holds an element "
                                + shown(element.name().toString()) + ".",
                        "Send elements ActivityIdentifier of the namespace " + BesNames.FACTORY + " only.");
            }
        }
        identifiers.check(elements.size(), "Activity identifiers of the request");
        return new Asked(elements, elements.stream().map(ActivityId::read).toList());
    }

    private static String shown(String text) {
        return ShortText.of(text, 120);
    }

    private interface Answer {
        XmlContent of(int at);
    }

    private static XmlContent response(String name, Asked asked, Answer answers) {
        return out -> {
            out.open(BesNames.factory(name));
            for (int i = 0; i < asked.elements().size(); i++) {
                one(out, asked.elements().get(i), answers.of(i));
            }
            out.close();
        };
    }

    private static void one(XmlWriter out, XmlElement identifier, XmlContent answer) {
        out.open(BesNames.RESPONSE).copy(identifier);
        answer.write(out);
        out.close();
    }
}
