import {
  Anchor,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Modal,
  type VariantColorsResolver,
} from '@mantine/core'

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif'

/** Filled elements are dark with white text in light mode, and bright with black text in dark mode. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...resolved, color: 'var(--mantine-primary-color-contrast)' } : resolved
}

/** Mantine's defaults fail WCAG contrast in both schemes. e2e/dashboard checks this theme with axe on every page. */
export const theme = createTheme({
  colors: {
    // From text to ground: surfaces lift from the ground by brightness and by a line.
    dark: [
      '#e8eaee',
      '#c9ced6',
      '#a9b1be',
      '#7c8798',
      '#353d4a',
      '#2e3541',
      '#252b35',
      '#1a1e25',
      '#0e1014',
      '#08090c',
    ],
    gray: [
      '#f6f7f9',
      '#edeff3',
      '#e4e7ec',
      '#dde1e7',
      '#c2c8d1',
      '#9aa2af',
      '#7c8594',
      '#535b69',
      '#343a45',
      '#16191f',
    ],
  },
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  // The luminance at which black and white text have equal contrast.
  luminanceThreshold: 0.18,
  variantColorResolver,
  respectReducedMotion: true,
  fontFamily,
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px' },
  headings: {
    fontFamily,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  components: {
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    Badge: Badge.extend({ defaultProps: { variant: 'outline', color: 'dark', radius: 'sm' } }),
    // The scroll lock writes a <style> into the page, which the Content-Security-Policy refuses.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1.125rem', fontWeight: 650 } },
    }),
  },
})

/** Outlines in dark mode. Mantine derives them from the primary shade, which leaves too little color. */
const outlines = Object.fromEntries(
  ['indigo', 'red', 'orange', 'teal'].map((color) => [
    `--mantine-color-${color}-outline`,
    `var(--mantine-color-${color}-4)`,
  ]),
)

/** Colors for which Mantine's defaults have too little contrast, and our own. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-6)',
    '--svc-good': 'var(--mantine-color-teal-9)',
    '--svc-warning': '#9a3b00',
    '--svc-chosen': 'var(--mantine-color-indigo-1)',
    '--svc-line': 'var(--mantine-color-gray-3)',
    '--svc-ground': 'var(--mantine-color-gray-0)',
    '--svc-surface': 'var(--mantine-color-white)',
    '--svc-raised': 'var(--mantine-color-white)',
  },
  dark: {
    ...outlines,
    '--mantine-color-text': 'var(--mantine-color-dark-0)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-3)',
    '--svc-good': 'var(--mantine-color-teal-4)',
    '--svc-warning': 'var(--mantine-color-orange-4)',
    '--svc-chosen': 'var(--mantine-color-dark-5)',
    '--svc-line': 'var(--mantine-color-dark-4)',
    '--svc-ground': 'var(--mantine-color-dark-8)',
    '--svc-surface': 'var(--mantine-color-dark-7)',
    '--svc-raised': 'var(--mantine-color-dark-6)',
  },
})
