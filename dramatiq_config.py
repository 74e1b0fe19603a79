"""The broker and its middleware, nothing else: what `dramatiq` and `periodiq` import first."""

from __future__ import annotations

from periodiq import PeriodiqMiddleware

import logs
from pipeline.broker import broker as make_broker
from pipeline.middleware import WorkerLife

logs.configure()

# Sweeps do no harm when they run late, and must not starve under a backlog: periodiq drops them after 30 s by default.
broker = make_broker()
broker.add_middleware(PeriodiqMiddleware(skip_delay=600))
broker.add_middleware(WorkerLife())
