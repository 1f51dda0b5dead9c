"""Setup Area determination, rules 9.2 and 9.605 to 9.6057, and the paths it gives."""
