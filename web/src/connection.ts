// The socket to the program. Lost, it is opened again.
import { numberOf, type FromServer, type ToServer } from './protocol';

export interface Listener {
  message(message: FromServer): void;
  frame(data: ArrayBuffer): void;
  connected(is: boolean): void;
}

const wait = 1000; // [ms] until the next try

export class Connection {
  private socket: WebSocket | null = null;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.listener.connected(true);
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) {
        this.listener.frame(data);
        this.send({ type: 'seen', frame: numberOf(data) }); // so that no more than two wait here while a picture is drawn
      } else this.listener.message(JSON.parse(String(data)) as FromServer);
    };
    socket.onclose = () => {
      this.listener.connected(false);
      setTimeout(() => this.open(), wait);
    };
    this.socket = socket;
  }

  send(message: ToServer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
