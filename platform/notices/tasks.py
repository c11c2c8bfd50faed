"""What workers do for notices."""

from celery import shared_task

from notices import sending


@shared_task
def send() -> None:
    """Send what is to be told."""
    sending.run()
