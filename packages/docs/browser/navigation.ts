import { part } from './page.ts'

/** Scrolls the navigation to the link of this page, without scrolling the page. */
export function showCurrentLink(): void {
  const navigation = part('site-navigation')
  const link = navigation.querySelector<HTMLElement>('[aria-current]')
  if (!link) return
  const show = () => {
    const below = link.getBoundingClientRect().bottom - navigation.getBoundingClientRect().bottom
    if (below > 0) navigation.scrollTop += below + navigation.clientHeight / 3
  }
  navigation.addEventListener('toggle', show)
  show()
}
