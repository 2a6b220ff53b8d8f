import { part } from './page.ts'

/** The key under which the dashboard stores the same choice. color-scheme.js applies it before the first paint. */
const key = 'mantine-color-scheme-value'
const system = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

/** Starts the switch between light and dark. A choice that equals the system setting follows the system again. */
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
