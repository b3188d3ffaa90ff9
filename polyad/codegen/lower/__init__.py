"""From loops to what threads and vectors run: passes over the loop IR, the last decisions."""
