"""Run the command line with `python -m laconic`."""

from laconic.cli import main

if __name__ == "__main__":
    main()
