"""`python -m tests.campaign`: see the package."""

import sys

from tests.campaign.command import main

sys.exit(main())
