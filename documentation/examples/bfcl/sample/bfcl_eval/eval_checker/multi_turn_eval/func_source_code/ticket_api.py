DEFAULT_STATE = {"ticket_queue": [], "ticket_counter": 1, "current_user": None}
