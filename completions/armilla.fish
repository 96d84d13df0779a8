# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of armilla for fish. What there is to complete is what the program itself says.

function __armilla_commands
    armilla help | string replace -rf '^  armilla ([a-z]+) +(?:\[?[A-Z]+\]? +)?(.*)' '$1\t$2'
end

function __armilla_options
    set -l command (commandline -opc)[2]
    armilla help $command | string replace -rf '^ *(?:-[a-zA-Z], )?(--[a-z-]+)\S* +(.*)' '$1\t$2'
end

function __armilla_stages
    armilla inspect | string replace -rf '^([a-z0-9-]+) +(.*)' '$1\t$2'
end

complete -c armilla -n __fish_use_subcommand -f -a '(__armilla_commands)'
complete -c armilla -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' \
    -f -a '(__armilla_options)'
complete -c armilla -n '__fish_seen_subcommand_from inspect' -f -a '(__armilla_stages)'
complete -c armilla -n '__fish_seen_subcommand_from help' -f -a '(__armilla_commands)'
complete -c armilla -n '__fish_seen_subcommand_from bench' -f -a 'alm2map map2alm convolve'
