# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium over the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/), on pipes."""

import base64, json, os, select, shutil, subprocess, tempfile, time


class Browser:
    """One browser with one page. Records the log and the network requests of the page."""

    def __init__(self, width=1440, height=900):
        self.profile = tempfile.mkdtemp(prefix="page")
        ours, theirs = os.pipe()
        back, reply = os.pipe()
        # The protocol's descriptors are 3 and 4.
        line = f"exec {find_browser()} \"$@\" 3<&{ours} 4>&{reply}"
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "--no-first-run", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", line, "browser", *options], pass_fds=(ours, reply),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours)
        os.close(reply)
        self.out, self.into = theirs, back
        self.rest, self.number, self.events = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank", session=None)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True, session=None)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, limit):
        """The next message, or None at the timeout."""
        end = time.time() + limit
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], max(0, end - time.time()))[0]:
                return None
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session="page", limit=30, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(limit)
            if answer is None:
                raise RuntimeError(f"no answer to {method}")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def run(self, script):
        """The value of an expression in the page, awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def open(self, address):
        """Opens a page and waits until it is drawn; returns the milliseconds from the request to the first drawn frame."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")
        return self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))")

    def wait(self, condition, limit=20):
        """Waits until a condition holds in the page."""
        end = time.time() + limit
        while not self.run(condition):
            if time.time() > end:
                raise RuntimeError(f"it did not come about that {condition}")
            time.sleep(0.01)

    def key(self, key, text=None, **more):
        """Presses and releases a key."""
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())), **more}
        text = text if text is not None else "\r" if key == "Enter" else key if len(key) == 1 else None
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        """Types a text."""
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        """An event of the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        """Clicks at a point."""
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=count)
        self.mouse("mouseReleased", x, y, button="left", clickCount=count)

    def picture(self, path):
        """Saves a picture of the window."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """The logs, errors and external network requests of the page."""
        self.run("0")
        found = []
        for event in self.events:
            method, parameters = event["method"], event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(f"{method}: {json.dumps(parameters)[:600]}")
            if method == "Network.requestWillBeSent" and parameters.get("type") != "Document":
                found.append(f"request: {parameters['request']['url'][:200]}")
        return found


def find_browser():
    """The program of the browser."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    raise RuntimeError("there is no chromium")
