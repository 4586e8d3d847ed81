import { FONT_FACES, PALETTE } from '#platform/palette.js';

const { day } = PALETTE;

/** The house's paper, ink and type on Swagger's page, which knows no night. */
export const API_DOCS_STYLE = `
${FONT_FACES}
html { background: ${day.paper}; color-scheme: light; }
body { background: ${day.paper}; }
.swagger-ui .topbar { display: none; }
.swagger-ui, .swagger-ui .info p, .swagger-ui .info li, .swagger-ui .opblock-tag, .swagger-ui .opblock-tag small,
.swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock-description-wrapper p,
.swagger-ui table thead tr td, .swagger-ui table thead tr th, .swagger-ui .parameter__name, .swagger-ui .parameter__type,
.swagger-ui .response-col_status, .swagger-ui .tab li, .swagger-ui label, .swagger-ui select, .swagger-ui input,
.swagger-ui .btn, .swagger-ui .model-title, .swagger-ui section.models h4, .swagger-ui .opblock .opblock-section-header h4 {
  color: ${day.ink};
  font-family: Inter, system-ui, sans-serif;
}
.swagger-ui .info .title, .swagger-ui .opblock-tag { color: ${day.ink}; font-family: Newsreader, Georgia, serif; font-weight: 500; }
.swagger-ui .info .title { font-size: 2.25rem; letter-spacing: -0.02em; }
.swagger-ui .info .title small { top: -0.25em; background: ${day.inkSoft}; vertical-align: middle; }
.swagger-ui .info .title small.version-stamp { background: ${day.accent}; }
.swagger-ui .info a, .swagger-ui a { color: ${day.accent}; }
.swagger-ui .opblock-tag { border-bottom-color: ${day.line}; }
.swagger-ui .btn.authorize { border-color: ${day.accent}; color: ${day.accent}; }
.swagger-ui .btn.authorize svg { fill: ${day.accent}; }
.swagger-ui .opblock .opblock-summary-method, .swagger-ui .opblock .opblock-summary-path { font-family: Inter, system-ui, sans-serif; }
.swagger-ui .scheme-container, .swagger-ui section.models .model-container { background: ${day.surface}; box-shadow: none; }
.swagger-ui .opblock { border-radius: 4px; box-shadow: none; }
.swagger-ui .opblock .opblock-section-header { background: ${day.surface}; box-shadow: none; }
.swagger-ui select, .swagger-ui input[type='text'], .swagger-ui textarea { border-color: ${day.lineStrong}; border-radius: 4px; background: ${day.surface}; }
`;
