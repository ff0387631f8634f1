"""One reader of Hugging Face config.json files, for the costs of any model and for the models that run here."""
