#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bash, zsh and fish offer after some words. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
PATH=$(dirname "$armilla"):$PATH

# in_bash WORDS...: what bash offers for the last of them
in_bash ()
{
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _armilla; echo "${COMPREPLY[*]}"' \
    bash "$source/completions/armilla.bash" "$@"
}
# zsh's own functions for completion need a terminal: here they print what they are given.
in_zsh ()
{
  # shellcheck disable=SC2016
  zsh -f -c '
    _call_program () { shift; eval "$*" }
    _describe () { print -l -- ${${(P)2}%%:*} }
    _values () { shift; print -l -- "$@" }
    _files () { print -l -- *(N) }
    complete () { . "$file" }
    file=$1; shift; words=("$@"); CURRENT=$#; PREFIX=$words[-1]
    complete | grep -e "^$PREFIX" | sort | paste -sd " " -' \
    zsh "$source/completions/_armilla" "$@"
}
in_fish ()
{
  fish -c 'source $argv[1]; complete -C "$argv[2]"' "$source/completions/armilla.fish" "$*" |
    cut -f 1 | sort | paste -sd ' '
}

# offers SHELL WHAT WORDS...
offers ()
{
  shell=$1 wanted=$2
  shift 2
  given=$("in_$shell" "$@")
  echo "$* -> $given"
  test "$given" = "$wanted"
}

: > alm.workflow
for shell in bash zsh fish; do
  command -v $shell > /dev/null || { skip "completion in $shell" "there is no $shell"; continue; }
  ok "$shell: a command" offers $shell run armilla ru
  ok "$shell: an option" offers $shell --trace armilla run --tr
  ok "$shell: an option for a file" offers $shell --report armilla run --rep
  ok "$shell: another option" offers $shell --log-time armilla run --lo
  ok "$shell: a stage" offers $shell map2alm armilla inspect map2
  ok "$shell: what bench times" offers $shell convolve armilla bench c
  ok "$shell: a command to get help on" offers $shell precompute armilla help pre
done
ok "bash: a file" offers bash alm.workflow armilla run al
finish
