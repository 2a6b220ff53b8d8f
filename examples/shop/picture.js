// Pictures of products: one drawing for each shelf, in the color of the product.
const inks = {
  red: ['#b5483a', '#f6e3dc'],
  ochre: ['#b9822b', '#f7ecd6'],
  green: ['#4f7d4a', '#e4eedf'],
  teal: ['#2f7c7a', '#dceeec'],
  blue: ['#3f659f', '#e0e8f4'],
  violet: ['#77568f', '#ebe3f1'],
}

/** Each drawing is in a square of 200. `ink` is the color, `dark` a shade, `light` a light. */
const drawings = {
  BEANS: ({ ink }) => `
    <path d="M62 58h76l10 104q-48 12-96 0z" fill="${ink}"/><path d="M62 58l6-16h64l6 16z" class="dark"/>
    <rect x="78" y="88" width="44" height="48" rx="4" class="light"/>
    <ellipse cx="100" cy="112" rx="10" ry="15" fill="${ink}" transform="rotate(24 100 112)"/>
    <path d="M95 99q10 12 8 27" class="line"/>`,
  GRINDERS: ({ ink }) => `
    <path d="M100 62V40h44" class="stroke"/><circle cx="146" cy="40" r="9" class="dark"/>
    <path d="M68 62h64l-10 34H78z" class="dark"/><rect x="64" y="96" width="72" height="62" rx="6" fill="${ink}"/>
    <rect x="78" y="118" width="44" height="26" rx="3" class="light"/><circle cx="100" cy="131" r="4" class="dark"/>`,
  BREWERS: ({ ink }) => `
    <path d="M56 46h88l-32 52H88z" fill="${ink}"/><path d="M144 58q22 4 6 26l-14 2" class="stroke"/>
    <rect x="66" y="98" width="68" height="9" rx="4" class="dark"/>
    <path d="M74 107h52l14 46q2 9-8 9H68q-10 0-8-9z" class="light"/>
    <path d="M66 134h68l6 19q2 9-8 9H68q-10 0-8-9z" class="dark"/>`,
  TEAS: ({ ink }) => `
    <rect x="62" y="66" width="76" height="96" rx="8" fill="${ink}"/><rect x="58" y="52" width="84" height="22" rx="6" class="dark"/>
    <rect x="74" y="92" width="52" height="48" rx="26" class="light"/>
    <path d="M86 128q0-26 28-28 0 28-28 28z" fill="${ink}"/><path d="M84 131l18-19" class="line"/>`,
  POTS: ({ ink }) => `
    <path d="M142 92q34-8 26 22-4 20-30 20" class="stroke"/><path d="M60 112L34 88q-4-8 6-8 14 4 26 20z" fill="${ink}"/>
    <ellipse cx="102" cy="116" rx="48" ry="42" fill="${ink}"/><ellipse cx="102" cy="80" rx="26" ry="8" class="dark"/>
    <circle cx="102" cy="66" r="8" class="dark"/><path d="M74 158h56" class="stroke"/>
    <path d="M68 110q4-20 20-26" class="shine"/>`,
  CUPS: ({ ink }) => `
    <path d="M132 92q32-4 28 20-4 20-34 20" class="stroke"/><path d="M56 80h80v34q0 38-40 38t-40-38z" fill="${ink}"/>
    <ellipse cx="96" cy="80" rx="40" ry="10" class="dark"/><path d="M82 62q-8-10 0-20M104 62q-8-10 0-20" class="steam"/>
    <ellipse cx="96" cy="160" rx="52" ry="6" class="dark"/>`,
  PLATES: ({ ink }) => `
    <circle cx="100" cy="104" r="62" fill="${ink}"/><circle cx="100" cy="104" r="52" class="light"/>
    <circle cx="100" cy="104" r="36" fill="${ink}" opacity=".25"/><path d="M72 86q8-14 24-18" class="shine"/>`,
  SWEETS: ({ ink }) => `
    <path d="M52 84h96l-8 78H60z" fill="${ink}"/><circle cx="76" cy="76" r="20" class="light"/><circle cx="118" cy="70" r="22" class="light"/>
    <circle cx="97" cy="62" r="20" class="light"/><path d="M50 84h100v16H50z" class="dark"/>
    <circle cx="112" cy="62" r="3" class="dark"/><circle cx="124" cy="70" r="3" class="dark"/><circle cx="92" cy="56" r="3" class="dark"/>`,
}

/** @param product one of `catalog.js` */
export function picture({ shelf, color }) {
  const [ink, ground] = inks[color]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="400" height="400">
  <style>
    .dark { fill: #2b2622 } .light { fill: #fdfbf7 } .line { fill: none; stroke: #fdfbf7; stroke-width: 2.5 }
    .stroke { fill: none; stroke: #2b2622; stroke-width: 9; stroke-linecap: round; stroke-linejoin: round }
    .steam { fill: none; stroke: #2b2622; stroke-width: 4; stroke-linecap: round; opacity: .35 }
    .shine { fill: none; stroke: #fdfbf7; stroke-width: 5; stroke-linecap: round; opacity: .7 }
  </style>
  <rect width="200" height="200" fill="${ground}"/>
  <ellipse cx="100" cy="166" rx="64" ry="7" fill="#2b2622" opacity=".12"/>${drawings[shelf]({ ink })}
</svg>
`
}
