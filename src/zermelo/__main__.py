"""python -m zermelo"""

from zermelo.cli.main import main

main()
