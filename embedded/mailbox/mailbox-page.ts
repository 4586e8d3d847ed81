/** The page at `/dev/mail`, of the library of this name. Its style and its script are calls of their own, as its content security policy asks. */
export const mailboxPage = (library: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mailbox – ${escape(library)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/dev/mail/mailbox.css">
    <script src="/dev/mail/mailbox.js" defer></script>
  </head>
  <body>
    <header class="top">
      <h1>${escape(library)} <span class="of">mailbox</span></h1>
      <p>No mail server is set. What would have been sent by e-mail is kept here.</p>
      <a href="/">To the library</a>
    </header>
    <main>
      <nav class="list" aria-label="Messages">
        <div class="search">
          <label for="filter">Find a message</label>
          <input id="filter" type="search" placeholder="Recipient or words" autocomplete="off" spellcheck="false">
        </div>
        <p id="away" class="away" role="status" hidden>The library does not answer. Trying again…</p>
        <ol id="messages"></ol>
        <div id="empty" class="empty" hidden>
          <p class="empty-title">No messages yet</p>
          <p>Register a reader: the e-mail that confirms the address appears here by itself.</p>
        </div>
        <p id="none" class="empty" hidden>No message matches.</p>
      </nav>
      <article id="message" class="message" aria-live="polite" hidden>
        <div class="message-head">
          <a class="back" href="#">All messages</a>
          <h2 id="subject"></h2>
          <dl>
            <div><dt>To</dt><dd id="to"></dd></div>
            <div><dt>From</dt><dd id="from"></dd></div>
            <div><dt>Received</dt><dd><time id="date"></time></dd></div>
            <div id="links-row"><dt>Links</dt><dd id="links"></dd></div>
          </dl>
          <div class="tabs" role="tablist" aria-label="Form of the message">
            <button type="button" role="tab" id="tab-html" aria-controls="panel-html">Letter</button>
            <button type="button" role="tab" id="tab-text" aria-controls="panel-text">Plain text</button>
          </div>
        </div>
        <div id="panel-html" class="panel" role="tabpanel" aria-labelledby="tab-html">
          <iframe id="frame" title="The letter" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
        </div>
        <div id="panel-text" class="panel" role="tabpanel" aria-labelledby="tab-text" tabindex="0" hidden>
          <pre id="text"></pre>
        </div>
      </article>
      <p id="choose" class="choose">Choose a message to read it.</p>
    </main>
    <noscript><p class="empty">This page needs JavaScript. The messages are also at <a href="/dev/mail/messages">/dev/mail/messages</a>.</p></noscript>
  </body>
</html>
`;

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
