"""Rules in force in a CG scenario: night, Snipers, reinforcements, Control, Victory."""
