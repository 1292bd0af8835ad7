// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.notify.DeliveryStatistics;
import org.junit.jupiter.api.Test;

class NotificationMetricsTest {

    @Test
    void eachFigureOfTheNotifierIsShownAsItStandsAtTheScrape() {
        AtomicReference<DeliveryStatistics> figures = new AtomicReference<>(new DeliveryStatistics(7, 3, 2, 1, 6, 4));
        try (Metrics metrics = new Metrics()) {
            metrics.notifications(figures::get);
            assertThat(metrics.scrape())
                    .contains(
                            "jobgate_notifications_delivered_total 7.0",
                            "jobgate_notifications_failed_total 3.0",
                            "jobgate_notifications_left_out_total 2.0",
                            "jobgate_notifications_given_up_total 1.0",
                            "jobgate_notifications_waiting 4.0");
            figures.set(new DeliveryStatistics(9, 3, 2, 1, 6, 0));
            assertThat(metrics.scrape())
                    .contains("jobgate_notifications_delivered_total 9.0", "jobgate_notifications_waiting 0.0");
        }
    }
}
