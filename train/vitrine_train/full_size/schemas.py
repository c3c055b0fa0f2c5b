"""How each trainer reads its configuration. A reader gets the folder of the pinned sources and what a file of
train/full-size says: the arguments of a script, or a tree. It gives all settings as the trainer has them, by path, and
raises where the trainer, or the type that it declares, refuses one."""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import declared, stubs

Settings = dict[str, Any]


def verl(sources: Path, arguments: Sequence[str]) -> Settings:
    """Composed by Hydra as main_ppo does, which refuses keys that verl has not, then verl's validate_config. Types are
    those of the defaults, since verl declares them for a part only."""
    stubs.install("verl", always=("torch", "transformers", "accelerate", "numpy"))
    sys.path.insert(0, str(sources / "verl"))
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf
    from verl.trainer.ppo.utils import need_critic, need_reference_policy
    from verl.utils.config import validate_config

    with initialize_config_dir(str(sources / "verl/verl/trainer/config"), version_base=None):
        config, default = compose("ppo_trainer", list(arguments)), compose("ppo_trainer")
    for argument in arguments:
        key = argument.partition("=")[0].lstrip("+")
        known = OmegaConf.select(default, key)
        value = OmegaConf.select(config, key)
        if known is not None and type(value) is not type(known) and {type(value), type(known)} != {int, float} and not _listed(value, known):
            raise ValueError(f"{key}: want {type(known).__name__}, not {value!r}")
    validate_config(config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))
    return dict(declared.flat(OmegaConf.to_container(config, resolve=False)))


def _listed(value: Any, known: Any) -> bool:
    """Whether one is a list of what the other is: files of a data set are either."""
    return "ListConfig" in (type(value).__name__, type(known).__name__)


def openrlhf(sources: Path, arguments: Sequence[str]) -> Settings:
    """Parsed and checked by the main block of train_ppo_ray, without its last line, which trains."""
    stubs.install("openrlhf", always=("torch", "transformers", "sympy"))
    sys.path.insert(0, str(sources / "OpenRLHF"))
    file = sources / "OpenRLHF/openrlhf/cli/train_ppo_ray.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    main = tree.body[-1]
    assert isinstance(main, ast.If) and ast.unparse(main.body[-1]) == "train(args)"
    imports = [node for node in tree.body if ast.unparse(node) in ("import argparse", "from datetime import datetime")]
    names: dict[str, Any] = {}
    _parse(str(file), arguments, lambda: exec(compile(ast.Module([*imports, *main.body[:-1]], []), str(file), "exec"), names))
    return dict(declared.flat(_tree(names["args"])))


def _tree(value: Any) -> Any:
    return {key: _tree(item) for key, item in vars(value).items()} if isinstance(value, argparse.Namespace) or type(value).__name__ == "SimpleNamespace" else value


def _parse(program: str, arguments: Sequence[str], parse: Callable[[], Any]) -> Any:
    """Runs a parser of the command line, which ends the process where it refuses something."""
    before, sys.argv = sys.argv, [program, *arguments]
    try:
        return parse()
    except SystemExit as end:
        raise ValueError(f"the parser refuses {arguments[-2:]}") from end
    finally:
        sys.argv = before


def slime(sources: Path, arguments: Sequence[str]) -> Settings:
    """Parsed by Megatron's parser with slime's arguments and checked by slime_validate_args. slime ignores what it does
    not know; here that is refused. Arguments of SGLang are not known here."""
    stubs.install("slime", "megatron", always=("torch", "transformers", "numpy"))
    sys.path[:0] = [str(sources / "slime"), str(sources / "Megatron-LM")]
    from megatron.training.arguments import add_megatron_arguments
    from slime.utils.arguments import get_slime_extra_args_provider, slime_validate_args

    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_megatron_arguments(parser)
    get_slime_extra_args_provider()(parser)
    args = _parse("train.py", arguments, lambda: parser.parse_args(arguments))
    with tempfile.TemporaryDirectory() as reference:  # slime wants it to be there
        args.debug_train_only = args.debug_rollout_only = False
        args.load_debug_rollout_data = None
        args.ref_load = reference
        slime_validate_args(args)
    return vars(args)


def skyrl(sources: Path, arguments: Sequence[str]) -> Settings:
    """Read by SkyRLTrainConfig and checked by validate_cfg; types are those of its dataclasses."""
    stubs.install("skyrl", always=("torch", "transformers", "skyrl_gym"))
    sys.path.insert(0, str(sources / "SkyRL"))
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.utils import validate_cfg

    config = SkyRLTrainConfig.from_cli_overrides(list(arguments))
    given = {argument.partition("=")[0] for argument in arguments}
    settings: Settings = {}
    for path, value, kind in declared.leaves(config):
        settings[path] = value
        if path in given:
            declared.check({path: value}, {path: kind})
    validate_cfg(config)
    return settings


def prime_rl(sources: Path, tree: Settings) -> Settings:
    """Read by RLConfig, its pydantic model, which needs no stand-ins."""
    sys.path.insert(0, str(sources / "prime-rl/packages/prime-rl-configs/src"))
    from prime_rl.configs.rl import RLConfig

    return dict(declared.flat(RLConfig.model_validate(tree).model_dump(mode="json")))


def open_r1(sources: Path, tree: Settings) -> Settings:
    """Against the fields of Open-R1's dataclasses and of those of TRL and transformers that they extend, in the versions
    that Open-R1 pins. TRL's parser checks keys alone."""
    own, trl = sources / "open-r1/src/open_r1/configs.py", sources / "lib/open-r1/trl"
    config = "grpo_config.py", "GRPOConfig"
    script = "GRPOScriptArguments"
    if "reward_funcs" not in tree:
        config, script = ("sft_config.py", "SFTConfig"), "ScriptArguments"
    types = declared.fields(sources / "lib/open-r1/transformers/training_args.py", "TrainingArguments")
    types |= declared.fields(trl / "trainer" / config[0], config[1]) | declared.fields(own, config[1])
    types |= declared.fields(trl / "scripts/utils.py", "ScriptArguments") | declared.fields(own, script)
    types |= declared.fields(trl / "trainer/model_config.py", "ModelConfig")
    declared.check(tree, types)
    return tree


def llamafactory(sources: Path, tree: Settings) -> Settings:
    """Against the fields of LLaMA-Factory's dataclasses and of transformers' that they extend. Its parser checks keys
    alone."""
    own = sources / "LLaMA-Factory/src/llamafactory/hparams"
    types = declared.fields(sources / "lib/LLaMA-Factory/transformers/training_args.py", "TrainingArguments")
    for file, name in (
        ("model_args.py", "ModelArguments"), ("data_args.py", "DataArguments"), ("training_args.py", "TrainingArguments"),
        ("finetuning_args.py", "FinetuningArguments"), ("generating_args.py", "GeneratingArguments"),
    ):  # fmt: skip
        types |= declared.fields(own / file, name)
    declared.check(tree, types)
    templates = (own.parent / "data/template.py").read_text(encoding="utf-8")
    if f'name="{tree["template"]}"' not in templates:
        raise ValueError(f"template: LLaMA-Factory has no {tree['template']}")
    if not (sources / "LLaMA-Factory" / tree["deepspeed"]).is_file():
        raise ValueError(f"deepspeed: LLaMA-Factory has no {tree['deepspeed']}")
    return tree


READERS: dict[str, tuple[str, Callable[[Path, Any], Settings]]] = {
    "verl": ("verl", verl), "openrlhf": ("OpenRLHF", openrlhf), "slime": ("slime", slime), "skyrl": ("SkyRL", skyrl),
    "prime-rl": ("prime-rl", prime_rl), "open-r1": ("open-r1", open_r1), "llamafactory": ("LLaMA-Factory", llamafactory),
}  # fmt: skip
"""By the beginning of a file's name: the folder of the sources, and what reads the file."""
