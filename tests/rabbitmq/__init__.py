"""The pipeline on RabbitMQ, against a private node of Debian's rabbitmq-server; `make test-rabbitmq` runs it."""

ASKED_FOR = "SCRAPERSKY_TEST_RABBITMQ"
