"""A link as a picture that phones read."""

import segno


def qr_code(link: str) -> str:
    """The link as a picture of black cells on white, as wide as the place it stands in, whatever the theme.

    The lowest of the four levels of correction: on a screen nothing is torn off, and fewer cells are larger ones.
    """
    picture = segno.make(link, error="l", micro=False, boost_error=False).svg_data_uri(
        omitsize=True, light="white", dark="black", border=4
    )
    return f'<img class="tbt-qr" alt="QR code of the link below" src="{picture}">'
