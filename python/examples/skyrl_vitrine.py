"""SkyRL's entry point with the environment vitrine: python3 skyrl_vitrine.py trainer.train_batch_size=64 …

Workers take the service's settings from VITRINE_URL and VITRINE_RECIPE, which are passed on to them here."""

import os
import sys

import ray
import skyrl_gym
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.entrypoints.main_base import BasePPOExp, validate_cfg
from skyrl.train.utils import initialize_ray


@ray.remote(num_cpus=1)
def train(config: SkyRLTrainConfig) -> None:
    skyrl_gym.register(id="vitrine", entry_point="vitrine.skyrl:VitrineEnv")
    BasePPOExp(config).run()


if __name__ == "__main__":
    config = SkyRLTrainConfig.from_cli_overrides(sys.argv[1:])
    validate_cfg(config)
    initialize_ray(config)
    settings = {key: value for key, value in os.environ.items() if key.startswith("VITRINE_")}
    ray.get(train.options(runtime_env={"env_vars": settings}).remote(config))
