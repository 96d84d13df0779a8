# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of armilla for bash. What there is to complete is what the program itself says.

_armilla ()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local program=${COMP_WORDS[0]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$("$program" help 2> /dev/null | sed -n 's/^  armilla \([a-z]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  case $command:$word in
    *:-*)
      words=$("$program" help "$command" 2> /dev/null |
        sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
      return
      ;;
    inspect:*)
      words=$("$program" inspect 2> /dev/null | sed -n 's/^\([a-z0-9-]*\) .*/\1/p')
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
      return
      ;;
    help:*)
      words=$("$program" help 2> /dev/null | sed -n 's/^  armilla \([a-z]*\) .*/\1/p')
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
      return
      ;;
    bench:*)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "alm2map map2alm convolve" -- "$word")
        return
      fi
      ;;
  esac
  case $before in
    --spill) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}
complete -o filenames -F _armilla armilla
