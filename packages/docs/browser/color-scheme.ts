import { part } from './page.ts'

/** Where the dashboard keeps the same choice (its public/color-scheme.js sets the attribute before the first paint). */
const key = 'mantine-color-scheme-value'
const system = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

/** The switch between light and dark. What the system says anyway is no choice: the page goes on following the system. */
export function startColorScheme(): void {
  const button = part<HTMLButtonElement>('site-scheme')
  const show = () => {
    const chosen = localStorage.getItem(key)
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
    root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
    button.setAttribute('aria-pressed', String(isDark))
  }
  button.addEventListener('click', () => {
    const isDark = button.getAttribute('aria-pressed') !== 'true'
    localStorage.setItem(key, isDark === system.matches ? 'auto' : isDark ? 'dark' : 'light')
    show()
  })
  system.addEventListener('change', show)
  addEventListener('storage', show)
  show()
  button.hidden = false
}
