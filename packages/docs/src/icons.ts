const icon = (name: string, path: string): string =>
  `<svg class="icon-${name}" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`

/** Outlines from Tabler, as in the dashboard. */
export const icons = {
  menu: icon('menu', '<path d="M4 6h16M4 12h16M4 18h16"/>'),
  search: icon('search', '<path d="M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M21 21l-6-6"/>'),
  moon: icon('moon', '<path d="M12 3h.393a7.5 7.5 0 0 0 7.92 12.446A9 9 0 1 1 12 2.992z"/>'),
  sun: icon(
    'sun',
    '<path d="M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M3 12h1m8-9v1m8 8h1m-9 8v1M5.6 5.6l.7.7m12.1-.7l-.7.7m0 11.4l.7.7m-12.1-.7l-.7.7"/>',
  ),
}
