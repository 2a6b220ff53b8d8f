import type { Plugin } from 'vite'
import { themeCss } from './src/ui/theme/theme-css.ts'

/** `import 'virtual:theme.css'`: the theme's CSS variables as a stylesheet. */
export function themeStylesheet(): Plugin {
  const name = 'virtual:theme.css'
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? themeCss() : null),
  }
}
