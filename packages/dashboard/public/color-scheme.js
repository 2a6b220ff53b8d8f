// Sets light or dark, and the density, before the first paint: the choice of the user, or the system setting. Pages
// without sign-in have no frame.
// MantineProvider and ui/theme/density.ts take over.
;(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  document.documentElement.dataset.density = localStorage.getItem('svc-density') ?? 'comfortable'
  if (['/sign-in', '/sign-up', '/reset', '/join'].includes(location.pathname))
    document.documentElement.dataset.door = ''
})()
