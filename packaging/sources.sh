# shellcheck shell=bash
# sources.sh - source packages of Debian. Sourced.

# sources NAME[=VERSION]...: unpacked into this folder, from where this machine has its packages; beside its
# own lists, which stay as they are
sources()
{
    local here=(-qq -o "Dir::Etc::SourceList=$PWD/list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$PWD/lists" -o "APT::Sandbox::User=$(id -un)")

    mkdir -p lists/partial
    # shellcheck disable=SC2016 # apt expands them
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) main' 'Created-By: Packages' 'Origin: Debian' | sort -u >list
    apt-get "${here[@]}" update && apt-get "${here[@]}" source "$@"
}
